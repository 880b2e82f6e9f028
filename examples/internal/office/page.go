package office

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// pageBytes is how long a page is at most, as JSON: what a prompt shows whole.
const pageBytes = acting.MaxOutput

// envelope is room for what is around the items of a page.
const envelope = 100

// page is a part of a list, the result of the tools that list.
type page struct {
	Total int               `json:"total"`
	From  int               `json:"from"` // number of the first item here, from 1
	Items []json.RawMessage `json:"items"`
	Next  int               `json:"next,omitempty"` // where the list goes on
}

// from is the parameter of the tools that list.
type from struct {
	From int `json:"from,omitempty" desc:"first item; null: 1; for more: next of the result"`
}

// pageOf returns the page that begins at an item. An item that is longer than a
// page is a page of its own.
func pageOf[T any](list []T, p from) (any, error) {
	first := max(p.From, 1)
	if p.From < 0 || first > len(list)+1 {
		return nil, fmt.Errorf("office: from is %d, but the list has %d items", p.From, len(list))
	}
	out := page{Total: len(list), From: first, Items: []json.RawMessage{}}
	room := pageBytes - envelope
	for i := first - 1; i < len(list); i++ {
		item, err := json.Marshal(list[i])
		if err != nil {
			return nil, err
		}
		if room -= len(item) + 1; room < 0 && len(out.Items) > 0 {
			out.Next = i + 1
			break
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// brief shortens the texts of a summary, and then its lists, until it fits on a page.
func brief(s table.Summary) table.Summary {
	for limit := 600; ; limit /= 2 {
		short := s
		short.Heading, short.Caption, short.Label = clip(s.Heading, limit), clip(s.Caption, limit), clip(s.Label, limit)
		short.Above, short.Doubt, short.Unfit = clip(s.Above, limit), clip(s.Doubt, limit), clip(s.Unfit, limit)
		short.Sections, short.Header = clipAll(s.Sections, limit), clipAll(s.Header, limit)
		short.Totals, short.Skipped = clipAll(s.Totals, limit), clipAll(s.Skipped, limit)
		short.Columns, short.Others = first(s.Columns, 2*limit), first(s.Others, limit)
		raw, err := json.Marshal(short)
		if err != nil || len(raw) <= pageBytes-envelope || limit == 0 {
			return short // what has no JSON form is the page's affair
		}
	}
}

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}

// clipAll keeps the first texts that are together no longer than limit.
func clipAll(texts []string, limit int) []string {
	var kept []string
	for _, text := range texts {
		if limit <= 0 {
			return append(kept, "…")
		}
		kept = append(kept, clip(text, limit))
		limit -= len(text) + len(`"",`)
	}
	return kept
}

// first keeps the first items that are together no longer than limit, as JSON.
func first[T any](items []T, limit int) []T {
	for i, item := range items {
		raw, err := json.Marshal(item)
		if limit -= len(raw) + 1; err != nil || limit < 0 {
			return items[:i:i]
		}
	}
	return items
}
