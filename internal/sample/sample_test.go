package sample_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
)

func TestForms(t *testing.T) {
	given := flag.Lookup("test.short").Value.String()
	t.Cleanup(func() { require.NoError(t, flag.Set("test.short", given)) })
	raced := map[bool]int{false: 1, true: 8}[sample.UnderRace]
	for short, want := range map[string]struct{ every, of, raced int }{"true": {13, 500, raced}, "false": {1, 10_000, 1}} {
		require.NoError(t, flag.Set("test.short", short))
		assert.Equal(t, want.every, sample.Every(13), "-short=%s", short)
		assert.Equal(t, want.of, sample.Of(10_000, 500), "-short=%s", short)
		assert.Equal(t, want.raced, sample.Raced(8), "-short=%s", short)
	}
}

// one is a case that notes what becomes of it.
type one struct {
	testing.TB
	name, skipped, failed string
}

func (o *one) Name() string                      { return o.name }
func (o *one) Skipf(format string, args ...any)  { o.skipped = fmt.Sprintf(format, args...) }
func (o *one) Fatalf(format string, args ...any) { o.failed = fmt.Sprintf(format, args...) }

func TestCase(t *testing.T) {
	tries := func(value, test string, i int) *one {
		t.Setenv("AGENTFSM_SAMPLE", value)
		o := &one{TB: t, name: fmt.Sprintf("%s/%d", test, i)}
		sample.Case(o, i)
		return o
	}
	chosen := func(value, test string) (list []int) {
		for i := range 8 {
			o := tries(value, test, i)
			require.Empty(t, o.failed)
			if o.skipped == "" {
				list = append(list, i)
				continue
			}
			assert.Equal(t, "AGENTFSM_SAMPLE="+value+" leaves this case out", o.skipped)
		}
		return list
	}
	assert.Len(t, chosen("", "TestA"), 8)
	assert.Len(t, chosen("1/x", "TestA"), 8)
	assert.Len(t, chosen("4", "TestA"), 2)

	samples := map[string]bool{}
	for seed := range 64 {
		list := chosen(fmt.Sprint("4/", seed), "TestA")
		require.Len(t, list, 2)
		assert.Equal(t, 4, list[1]-list[0])
		samples[fmt.Sprint(list)] = true
		samples["another test "+fmt.Sprint(chosen(fmt.Sprint("4/", seed), "TestB"), list)] = true
	}
	for _, list := range []string{"[0 4]", "[1 5]", "[2 6]", "[3 7]"} {
		assert.Contains(t, samples, list, "some commit tries each case")
	}
	assert.Contains(t, samples, "another test [0 4] [1 5]", "a test does not always try what another one does")

	for _, value := range []string{"0/x", "x", "-1", "/x"} {
		assert.Equal(t, "AGENTFSM_SAMPLE="+value+" is not N or N/SEED", tries(value, "TestA", 0).failed)
	}
}
