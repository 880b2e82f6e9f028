package sqlstore_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkAppend takes turns with a bare INSERT and its commit into a table without
// anything else, on the same database, and reports the medians and their difference.
func BenchmarkAppend(b *testing.B) { benchAppend(b, sqlitePlace(b)) }

func BenchmarkRealAppend(b *testing.B) { benchAppend(b, postgresPlace(b)) }

func benchAppend(b *testing.B, p *place) {
	b.Helper()
	s := p.open(b, nil)
	p.exec(b, p.words(`CREATE TABLE bare (data {bytes})`))
	db := p.pool(b)
	data := bytes.Repeat([]byte("x"), 1000)
	var ours, theirs []time.Duration
	for seq := int64(0); b.Loop(); seq++ {
		begin := time.Now()
		require.NoError(b, s.Append(b.Context(), "run", seq, data))
		middle := time.Now()
		_, err := db.ExecContext(b.Context(), `INSERT INTO bare VALUES ($1)`, data)
		require.NoError(b, err)
		ours, theirs = append(ours, middle.Sub(begin)), append(theirs, time.Since(middle))
	}
	median := func(times []time.Duration) float64 { // one long wait for the disk is no cost of ours
		slices.Sort(times)
		return float64(times[len(times)/2])
	}
	b.ReportMetric(median(ours), "ns/append")
	b.ReportMetric(median(theirs), "ns/bare")
	b.ReportMetric(median(ours)-median(theirs), "ns/more")
}

// BenchmarkClaim claims and releases one of 10,000 runs.
func BenchmarkClaim(b *testing.B) { benchClaim(b, sqlitePlace(b)) }

func BenchmarkRealClaim(b *testing.B) { benchClaim(b, postgresPlace(b)) }

func benchClaim(b *testing.B, p *place) {
	b.Helper()
	s := p.open(b, nil)
	fill(b, p, 10_000, 0)
	for b.Loop() {
		require.NoError(b, claim(b, s, "w").Release(b.Context()))
	}
}
