package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// record is about what a step of a round leaves.
func record() []byte {
	return append([]byte(`{"kind":"step","text":"`), append(make([]byte, 1000), `"}`...)...)
}

// BenchmarkAppend appends to a run that it drives and to one that it does not, and takes turns with a bare
// write and fsync, so that a disk that is slow for a while is slow for all. It reports the medians: the goal is
// at most 50 µs more than a bare write for who drives the run, and 100 µs for others.
func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	s := files(b, dir)
	hold, err := s.Drive(b.Context(), "driven", false)
	require.NoError(b, err)
	f, err := os.OpenFile(filepath.Join(dir, "bare"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(b, err)
	defer f.Close()
	data, bare := record(), appended(1, string(record()))
	seq := int64(0)
	turns := []func() error{
		func() error { return s.Append(b.Context(), "driven", seq, data) },
		func() error { return s.Append(b.Context(), "beside", seq, data) },
		func() error {
			_, err := f.Write(bare)
			return errors.Join(err, f.Sync())
		},
	}
	times := make([][]time.Duration, len(turns))
	for b.Loop() {
		for i, turn := range turns {
			begin := time.Now()
			require.NoError(b, turn())
			times[i] = append(times[i], time.Since(begin))
		}
		seq++
	}
	require.NoError(b, hold.Release(b.Context()))
	var medians []float64
	for _, list := range times { // one long wait for the disk is no cost of ours
		slices.Sort(list)
		medians = append(medians, float64(list[len(list)/2]))
	}
	b.ReportMetric(medians[0], "ns/driven")
	b.ReportMetric(medians[1], "ns/beside")
	b.ReportMetric(medians[2], "ns/bare")
}

// BenchmarkRead reads a run of 5,000 records.
func BenchmarkRead(b *testing.B) {
	s := files(b, b.TempDir())
	many := make([][]byte, 100)
	for i := range many {
		many[i] = record()
	}
	for i := range int64(50) {
		require.NoError(b, s.Append(b.Context(), "r", 100*i, many...))
	}
	b.SetBytes(int64(5000 * len(record())))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range s.Read(b.Context(), "r", 1) {
			require.NoError(b, err)
			n++
		}
		require.Equal(b, 5000, n)
	}
}
