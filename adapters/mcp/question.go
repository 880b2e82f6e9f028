package mcp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// question is a field as a person reads it.
func (f field) question() string {
	var b strings.Builder
	b.WriteString(flat(f.name))
	if f.Title != "" && f.Title != f.name {
		fmt.Fprintf(&b, " (%s)", flat(f.Title))
	}
	if f.Description != "" {
		fmt.Fprintf(&b, ": %s", flat(f.Description))
	}
	b.WriteString("\nWanted: " + flat(f.wanted()))
	switch {
	case f.Default != nil:
		fmt.Fprintf(&b, "; nothing means %s, if you say yes to that at the end", flat(shown(f.Default)))
	case !f.required:
		b.WriteString("; may be left empty")
	}
	b.WriteString(".")
	return b.String()
}

// warning is for a form whose words are about secrets: a person may believe that it
// asks for one. "": they are not.
func (f field) warning(message string) string {
	if f.isFree() && (f.isSecret() || names(message, false) || names(f.Description, false)) {
		return "\nNo passwords or other secrets: the answer goes to the server, and may come back to the model."
	}
	return ""
}

// unanswered asks whether to send a form with what was not answered.
func unanswered(fields []field, said bool) string {
	var b strings.Builder
	if !said {
		b.WriteString("Nothing was filled in. ")
	}
	if len(fields) == 0 {
		b.WriteString("Accept and send the form without answers? Yes or no.")
		return b.String()
	}
	b.WriteString("These were not answered, and the server's own answers will be sent:\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "- %s: %s\n", flat(f.name), flat(shown(f.Default)))
	}
	b.WriteString("Accept and send the form like that? Yes or no.")
	return b.String()
}

// shown is a default as a person reads it.
func shown(value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return decimal(v)
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			parts[i] = shown(part)
		}
		return strings.Join(parts, ", ")
	case string:
		return strconv.Quote(flat(v))
	}
	return fmt.Sprint(value)
}

// decimal is a number without an exponent, unless it is huge or tiny.
func decimal(n float64) string {
	if size := math.Abs(n); size != 0 && (size >= 1e15 || size < 1e-6) {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (f field) wanted() string {
	var names []string
	for i, c := range f.options() {
		if i == maxOptions {
			names = append(names, "and more")
			break
		}
		if c.Title != "" && c.Title != c.Const {
			names = append(names, fmt.Sprintf("%s (%s)", c.Const, c.Title))
			continue
		}
		names = append(names, c.Const)
	}
	switch {
	case f.Type == "array":
		return "some of these" + within(count(f.MinItems), count(f.MaxItems), " (", ")") + ", with commas: " + strings.Join(names, ", ")
	case len(names) > 0:
		return "one of " + strings.Join(names, ", ")
	case f.Type == "boolean":
		return "yes or no"
	case f.Type == "integer":
		return "a whole number" + within(f.Minimum, f.Maximum, ", ", "")
	case f.Type == "number":
		return "a number" + within(f.Minimum, f.Maximum, ", ", "")
	}
	return f.kind() + within(count(f.MinLength), count(f.MaxLength), " of ", " characters")
}

// within says which bounds there are, between before and after; "" when there are
// none.
func within(least, most *float64, before, after string) string {
	switch {
	case least != nil && most != nil && *least == *most:
		return before + "exactly " + decimal(*least) + after
	case least != nil && most != nil:
		return before + decimal(*least) + " to " + decimal(*most) + after
	case least != nil:
		return before + "at least " + decimal(*least) + after
	case most != nil:
		return before + "at most " + decimal(*most) + after
	}
	return ""
}

func count(n *int) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// maxWords is how much of a text of a server a person is shown, in bytes.
const maxWords = 4000

// quoted are the words of a server. Lines behind the first are marked: they could
// look like words of the agent, or of another question.
func quoted(text string) string {
	return strings.ReplaceAll(shorten(text, maxWords), "\n", "\n| ")
}

// flat is a text of a server on one line.
func flat(text string) string { return strings.Join(strings.Fields(shorten(text, maxWords)), " ") }

func shorten(text string, most int) string {
	text = strings.TrimSpace(lineEnds.Replace(text))
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " [...]"
}

// lineEnds makes one of all that people may see as the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
