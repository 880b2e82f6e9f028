//go:build unix

package drivetest_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/drive/drivetest"
	"github.com/agentfsm/agentfsm/round/journal"
)

const envFolder = "DRIVETEST_FOLDER"

func TestMain(m *testing.M) {
	if drivetest.Child(func(context.Context) (journal.Store, error) { return journal.Files(os.Getenv(envFolder), nil) }) {
		return
	}
	m.Run()
}

func TestOneDrivesInMemory(t *testing.T) {
	drivetest.Run(t, drivetest.Backend{Store: journal.Memory()})
}

func TestOneDrivesFiles(t *testing.T) {
	dir := t.TempDir()
	store, err := journal.Files(dir, nil)
	require.NoError(t, err)
	drivetest.Run(t, drivetest.Backend{Store: store, Env: []string{envFolder + "=" + dir}, AnyMoment: true})
}
