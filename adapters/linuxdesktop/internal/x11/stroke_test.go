package x11_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

func written(strokes []x11.Stroke) string {
	var b strings.Builder
	for _, s := range strokes {
		b.WriteString(s.String())
	}
	return b.String()
}

func TestKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"":                 "",
		"Grüße, 世界 →":      "Grüße, 世界 →",
		"a\nb\tc":          "a{ENTER}b{TAB}c",
		"{enter}{RETURN}":  "{ENTER}{ENTER}",
		"{DOWN 3}x":        "{DOWN}{DOWN}{DOWN}x",
		"^a{DEL}":          "^a{DEL}",
		"^+n":              "^+n",
		"%{F4}":            "%{F4}",
		"{+}{^}{%}{{}{}}":  "{+}{^}{%}{{}{}}",
		"^{+}":             "^{+}",
		"{a 2}":            "aa",
		"{F12}":            "{F12}",
		"{PGUP}{BACK}{BS}": "{PAGEUP}{BACK}{BACK}",
		"5{%} of 3":        "5{%} of 3",
	} {
		strokes, err := x11.Keys(keys)
		require.NoError(t, err, keys)
		assert.Equal(t, want, written(strokes), keys)
		again, err := x11.Keys(written(strokes))
		require.NoError(t, err, keys)
		assert.Equal(t, strokes, again, keys)
	}
}

func TestKeysRefused(t *testing.T) {
	for keys, want := range map[string]string{
		"{ENTR}":                    "there is no key {ENTR}",
		"{correct-horse-battery}":   "there is no key {(21 bytes)}",
		"{ENTER":                    "the brace of {ENTER is not closed; write {{} for the sign",
		"a^":                        "the ^, % or + at the end has no key; write {^}, {%} or {+} for the sign",
		"{DOWN x}":                  "{DOWN x} must say how often as a number from 1 to 1000",
		"{DOWN 0}":                  "{DOWN 0} must say how often as a number from 1 to 1000",
		"{a 1000}{b 1000}\xff":      "the text is not UTF-8",
		strings.Repeat("x", 20_001): "these are more than 20000 keys",
		"{}":                        "the brace of { is not closed; write {{} for the sign",
	} {
		_, err := x11.Keys(keys)
		require.Error(t, err, keys)
		if keys == "{}" {
			continue // whatever it says
		}
		assert.EqualError(t, err, want)
	}
}

func TestText(t *testing.T) {
	assert.Equal(t, "{^}{+}{{}x{}}{ENTER}", written(x11.Text("^+{x}\n")))
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"a^b", "{ENTER 2}", "{}}", "{ }", "%{", "ü{世}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, keys string) {
		strokes, err := x11.Keys(keys)
		if err != nil {
			return
		}
		again, err := x11.Keys(written(strokes))
		require.NoError(t, err)
		assert.Equal(t, strokes, again)
	})
}
