package jsonschema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

func compile(t testing.TB, schema string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile(json.RawMessage(schema))
	require.NoError(t, err)
	return s
}

func value(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v))
	return v
}

func TestValidate(t *testing.T) {
	for name, b := range blocks(t, "validate") {
		t.Run(name, func(t *testing.T) {
			s := compile(t, b["schema"][0])
			for _, good := range b["good"] {
				assert.Empty(t, s.Validate(value(t, good)), good)
			}
			for i, bad := range b["bad"] {
				assert.Equal(t, b["problem"][i:i+1], s.Validate(value(t, bad)), bad)
			}
		})
	}
}

// A keyword that would restrict and is not checked is named; an annotation is not.
func TestUnchecked(t *testing.T) {
	for name, b := range blocks(t, "unchecked") {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, strings.Join(b["unchecked"], " "), compile(t, b["schema"][0]).Unchecked)
		})
	}
}

// Values may come from encoding/json without UseNumber, too.
func TestValidateGoValues(t *testing.T) {
	s := compile(t, `{"type":"number","minimum":0.1,"maximum":1e300}`)
	assert.Empty(t, s.Validate(0.1))
	assert.Empty(t, s.Validate(json.Number("0.1")))
	assert.Equal(t, []string{"$: must be at least 0.1"}, s.Validate(0.09))
	inf := 1e308
	inf *= 10
	for name, v := range map[string]any{
		"int": 1, "struct": struct{}{}, "infinite": inf, "no number": json.Number("x"), "fraction": json.Number("1/3"), "padded": json.Number(" 1"),
		"large": json.Number("1e9999999999"), "tall": json.Number("1e5000"), "long": json.Number(strings.Repeat("1", 2000)), "true": json.Number("true"),
	} {
		assert.Equal(t, []string{"$: is no value that JSON can hold here"}, s.Validate(v), name)
	}
	assert.NotEmpty(t, compile(t, `{"enum":[[1]]}`).Validate([]any{1}))
}

func TestValidateReportsInOrder(t *testing.T) {
	s := compile(t, `{"type":"object","required":["z","a"],"properties":{"m":{"minimum":3,"maximum":0}},"allOf":[{"required":["a"]}]}`)
	assert.Equal(t, []string{
		"$.a: is required",
		"$.m: must be at least 3",
		"$.m: must be at most 0",
		"$.z: is required",
	}, s.Validate(value(t, `{"m":1}`)))

	many := compile(t, `{"items":false}`).Validate(value(t, `[`+strings.Repeat("1,", 99)+`1]`))
	assert.Len(t, many, 33)
	assert.Contains(t, many, "$: has 68 more problems")
}

func TestProblemsNeverQuoteTheValue(t *testing.T) {
	const secret = "hunter2"
	for _, schema := range []string{
		`{"type":"integer"}`, `{"enum":["a"]}`, `{"const":"a"}`, `{"minLength":99}`, `{"maxLength":1}`, `{"pattern":"^x"}`, `false`,
		`{"anyOf":[{"type":"null"},{"maxLength":2}]}`, `{"oneOf":[true,true]}`,
	} {
		problems := compile(t, schema).Validate(secret)
		require.NotEmpty(t, problems, schema)
		assert.NotContains(t, strings.Join(problems, "\n"), secret, schema)
	}
}

func TestValidateIsBounded(t *testing.T) {
	deep := func(n int) any {
		return value(t, strings.Repeat("[", n)+strings.Repeat("]", n))
	}
	nested := compile(t, `{"type":"array","items":{"$ref":"#"}}`)
	assert.Empty(t, nested.Validate(deep(1000)))
	tooMuch := []string{"$: takes too much work to check"}
	assert.Equal(t, tooMuch, nested.Validate(deep(9000)))
	doubling := compile(t, `{"items":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}`)
	assert.Equal(t, tooMuch, doubling.Validate(deep(100)))
	assert.Equal(t, tooMuch, compile(t, `{"items":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"maxItems":0}`).Validate(deep(100)))
	assert.Equal(t, tooMuch, compile(t, `{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`).Validate(value(t, strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100))))

	// A long chain of schemas for every level of the value.
	var chain strings.Builder
	chain.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range 150 {
		chain.WriteString(`"s` + itoa(i) + `":{"$ref":"#/$defs/s` + itoa(i+1) + `"},`)
	}
	chain.WriteString(`"s150":{"items":{"$ref":"#"}}}}`)
	assert.Empty(t, compile(t, chain.String()).Validate(deep(30)))
	assert.Equal(t, tooMuch, compile(t, chain.String()).Validate(deep(1000)))
}

func itoa(i int) string {
	raw, _ := json.Marshal(i)
	return string(raw)
}
