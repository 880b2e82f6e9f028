package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// A test binary that is started with these does not test, but appends.
const (
	envFolder = "JOURNAL_TEST_FOLDER"
	envName   = "JOURNAL_TEST_NAME"
	shared    = "shared" // the run that all append to
	rounds    = 25       // how often each does, two records at a time
)

func TestMain(m *testing.M) {
	dir := os.Getenv(envFolder)
	if dir == "" {
		m.Run() // which sets the status of the program
		return
	}
	s, err := store.Files(dir, nil)
	if err == nil {
		err = race(context.Background(), s, os.Getenv(envName))
	}
	if err != nil {
		panic(err)
	}
}

// race appends to the shared run whenever nobody else has been faster.
func race(ctx context.Context, s store.Store, name string) error {
	last := int64(0)
	for i := 0; i < rounds; {
		err := s.Append(ctx, shared, last, fmt.Appendf(nil, "%s %d a", name, i), fmt.Appendf(nil, "%s %d b", name, i))
		var conflict *store.ConflictError
		switch {
		case err == nil:
			last += 2
			i++
		case !errors.As(err, &conflict):
			return err
		case conflict.Last <= last:
			return fmt.Errorf("a conflict with a journal that has not grown: %w", err)
		default:
			last = conflict.Last
		}
	}
	return nil
}

// started starts a process that takes part in the race. The func waits for it.
func started(t *testing.T, dir, name string) func() error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envFolder+"="+dir, envName+"="+name)
	var said strings.Builder
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	return func() error {
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, said.String())
		}
		return nil
	}
}

// Of several processes that append with the same seq one wins, each time. Whoever reads
// meanwhile sees the beginning of what there is in the end.
func TestSeveralProcesses(t *testing.T) {
	dir := t.TempDir()
	s := files(t, dir)
	var names []string
	var group sync.WaitGroup
	ends := make(chan error, 8)
	for i := range 3 {
		names = append(names, fmt.Sprint("process", i))
		wait := started(t, dir, names[i])
		group.Go(func() { ends <- wait() })
	}
	for i := range 3 { // two with a store of their own, as another process has
		name := fmt.Sprint("goroutine", i)
		names = append(names, name)
		own := s
		if i > 0 {
			own = files(t, dir)
		}
		group.Go(func() { ends <- race(t.Context(), own, name) })
	}
	go func() { group.Wait(); close(ends) }()

	var seen []string
	for open := true; open; {
		select {
		case err, more := <-ends:
			require.NoError(t, err)
			open = more
		default:
		}
		now, err := read(t, s, shared)
		require.NoError(t, err)
		require.Zero(t, len(now)%2, "half an Append was read")
		require.GreaterOrEqual(t, len(now), len(seen))
		require.True(t, slices.Equal(seen, now[:len(seen)]), "what was read before has changed")
		seen = now
	}
	require.Len(t, seen, 2*rounds*len(names))
	for _, name := range names {
		var mine, want []string
		for i := range rounds {
			want = append(want, fmt.Sprintf("%s %d a", name, i), fmt.Sprintf("%s %d b", name, i))
		}
		for _, record := range seen {
			if strings.HasPrefix(record, name+" ") {
				mine = append(mine, record)
			}
		}
		assert.Equal(t, want, mine)
	}
}

// A process that dies while it has the lock leaves it to the next one.
func TestKilledWithTheLock(t *testing.T) {
	dir := t.TempDir()
	s := files(t, dir)
	for i := range 5 {
		ctx, kill := context.WithCancel(t.Context())
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), envFolder+"="+dir, envName+"="+fmt.Sprint("killed", i))
		before, err := read(t, s, shared)
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		for now := before; len(now) < len(before)+2*i; { // it is at work
			now, err = read(t, s, shared)
			require.NoError(t, err)
		}
		kill()
		_ = cmd.Wait() // it was killed, or had just finished
		records, err := read(t, s, shared)
		require.NoError(t, err)
		require.Zero(t, len(records)%2)
		require.NoError(t, s.Append(t.Context(), shared, int64(len(records)), []byte("a"), []byte("b")))
	}
	lines := 0
	for scan := bufio.NewScanner(strings.NewReader(string(load(t, s.File(shared))))); scan.Scan(); lines++ {
		assert.NotEmpty(t, scan.Text())
	}
	records, err := read(t, s, shared)
	require.NoError(t, err)
	assert.Equal(t, 1+2*len(records), lines, "each record is a line, and its data another one")
}
