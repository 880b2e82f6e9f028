package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// Section decodes the section of that name in a request. It stops the test when
// there is none, saying which there are, or when it does not fit T. A nil t is
// for examples, as in [Script].
func Section[T any](t testing.TB, req *llm.Request, name string) T {
	if t == nil {
		t = nobody{}
	}
	t.Helper()
	var into T
	if req == nil {
		t.Fatalf("llmtest: section %q of a nil request", name)
		return into
	}
	raw, ok := llm.FindSection(req, name)
	if !ok {
		t.Fatalf("llmtest: the request has no section %q, only %s", name, sectionNames(req))
		return into
	}
	if err := json.Unmarshal(raw, &into); err != nil {
		t.Fatalf("llmtest: section %q: %v; it is:\n%s", name, err, clip(string(raw)))
	}
	return into
}

func sectionNames(req *llm.Request) string {
	var names []string
	for _, m := range req.Messages {
		if m.Role != llm.System && m.Role != llm.User {
			continue
		}
		for name := range section.All(m.Text()) {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// describe shows a request in a failure: the sections of each message, one a
// line and long ones by their beginning, else the text by its end, where the
// newest is.
func describe(req *llm.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		fmt.Fprintf(&b, "--- %s\n", m.Role)
		if text := m.Text(); describeSections(text) != "" {
			b.WriteString(describeSections(text))
		} else if text != "" {
			fmt.Fprintln(&b, clip(text))
		}
		for _, p := range m.Parts {
			if p.Image != nil {
				fmt.Fprintf(&b, "[%s, %s]\n", p.Image.MediaType, bytesOf(len(p.Image.Data)))
			}
		}
		for _, call := range m.Calls {
			fmt.Fprintln(&b, clip(fmt.Sprintf("--- calls %s: %s", call.Name, call.Args)))
		}
	}
	if b.Len() == 0 {
		return "(no messages)"
	}
	return b.String()
}

func describeSections(text string) string {
	const limit = 300
	var b strings.Builder
	for name, body := range section.All(text) {
		var line bytes.Buffer
		if err := json.Compact(&line, []byte(body)); err != nil {
			continue // section.All yields valid JSON only
		}
		value := line.String()
		if len(value) > limit {
			value = strings.ToValidUTF8(value[:limit], "") + "…"
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	return b.String()
}

func clip(s string) string {
	const limit = 4096
	if len(s) <= limit {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-limit:], "")
}

// bytesOf is a size in words.
func bytesOf(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
