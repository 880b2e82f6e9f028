package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"testing"
)

const cases = "AGENTFSM_SAMPLE"

// Case skips the case i of a test whose cases take long, unless the sample has it. AGENTFSM_SAMPLE=N/SEED has every
// Nth case in the sample, from one on that SEED and the name of the test decide, so that other commits try other
// cases. Without AGENTFSM_SAMPLE, Case skips nothing.
//
//	t.Run(c.name, func(t *testing.T) {
//		sample.Case(t, i)
func Case(t testing.TB, i int) {
	t.Helper()
	value := os.Getenv(cases)
	if value == "" {
		return
	}
	count, seed, _ := strings.Cut(value, "/")
	n, err := strconv.ParseUint(count, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("%s=%s is not N or N/SEED", cases, value)
		return
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	sum := sha256.Sum256([]byte(seed + "\n" + test))
	if (binary.BigEndian.Uint64(sum[:])%n+uint64(i))%n != 0 { //nolint:gosec // an index
		t.Skipf("%s=%s leaves this case out", cases, value)
	}
}
