package digest_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/digest"
)

// What is written in parts, however long they are, is hashed as one text.
func TestDigest(t *testing.T) {
	for n := range 40 {
		d, want := digest.New(), strings.Builder{}
		for i := range 40 {
			long := strings.Repeat("é", n*i)
			d.Text(long)
			d.Field(long)
			d.Bytes([]byte(long))
			fmt.Fprintf(&want, "%s%d %s\n%d %s\n", long, len(long), long, len(long), long)
		}
		sum := sha256.Sum256([]byte(want.String()))
		assert.Equal(t, [8]byte(sum[:]), d.Sum())
	}
	assert.Equal(t, "e3b0c44298fc1c14", digest.New().Hex())
}

// Two forms of one JSON have one hash, and another JSON has another one.
func TestJSON(t *testing.T) {
	sum := func(raw string) string {
		d := digest.New()
		d.JSON([]byte(raw))
		return d.Hex()
	}
	assert.Equal(t, sum(`{"a b":["\" ",1]}`), sum("{ \"a b\" :\n\t[\"\\\" \", 1 ]\r\n}"))
	assert.NotEqual(t, sum(`{"a b":["\" ",1]}`), sum(`{"ab":["\" ",1]}`))
	assert.NotEqual(t, sum(`["\" "]`), sum(`["\""]`))
	assert.NotEqual(t, sum(`["\\"," "]`), sum(`["\\",""]`))
	long := strings.Repeat(`[1, "x y"], `, 200)
	assert.Equal(t, sum(strings.ReplaceAll(long, ", ", ",")), sum(long))
}
