package durable

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

var objects = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":1,"b":[{"c":"}"}],"":null}`, "{ \"a\" : { \"b\" : [1, 2] } ,\n\"c\" : \"x\\\"y,\" }", `{"a":1,"a":2}`,
	`{"\u0061\"":1,"\\":2}`, "{\"\xff\":1,\"\xfe\":2}", `{"a:b":{"c,d":"e:f"}}`, `{"a":"\\"}`, `null`, `7`, `[{"a":1}]`, `"{}"`, ``, ` `,
	`{`, `{"a"}`, `{"a":}`, "\v{}",
}

func TestMembers(t *testing.T) {
	for _, text := range objects {
		checkMembers(t, text)
	}
}

func FuzzMembers(f *testing.F) {
	for _, text := range objects {
		f.Add(text)
	}
	f.Fuzz(checkMembers)
}

// checkMembers compares the members of an object with those that encoding/json finds in it.
func checkMembers(t *testing.T, text string) {
	t.Helper()
	var want map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &want) != nil {
		want = nil
	}
	assert.Equal(t, want, membersOf([]byte(text)), text)
}
