package store_test

import (
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

// BenchmarkAppend takes turns with a bare write and fsync, so that a disk that is slow for a while is slow
// for both, and reports the difference of the medians: the goal is at most 100 µs.
func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	s := files(b, dir)
	f, err := os.OpenFile(filepath.Join(dir, "bare"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(b, err)
	defer f.Close()
	data, bare := record(), appended(1, string(record()))
	var ours, theirs []time.Duration
	seq := int64(0)
	for b.Loop() {
		begin := time.Now()
		require.NoError(b, s.Append(b.Context(), "r", seq, data))
		middle := time.Now()
		_, err := f.Write(bare)
		require.NoError(b, err)
		require.NoError(b, f.Sync())
		ours = append(ours, middle.Sub(begin))
		theirs = append(theirs, time.Since(middle))
		seq++
	}
	median := func(times []time.Duration) float64 { // one long wait for the disk is no cost of ours
		slices.Sort(times)
		return float64(times[len(times)/2])
	}
	b.ReportMetric(median(ours), "ns/append")
	b.ReportMetric(median(theirs), "ns/bare")
	b.ReportMetric(median(ours)-median(theirs), "ns/more")
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
