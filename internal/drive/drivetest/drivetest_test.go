//go:build unix

package drivetest_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/drive/drivetest"
)

const envFolder = "DRIVETEST_FOLDER"

func TestMain(m *testing.M) {
	if drivetest.Child(func(context.Context) (store.Store, error) { return store.Files(os.Getenv(envFolder)) }) {
		return
	}
	m.Run()
}

func TestOneDrivesInMemory(t *testing.T) {
	drivetest.Run(t, drivetest.Backend{Store: store.Memory()})
}

func TestOneDrivesFiles(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Files(dir)
	require.NoError(t, err)
	drivetest.Run(t, drivetest.Backend{Store: st, Env: []string{envFolder + "=" + dir}})
}
