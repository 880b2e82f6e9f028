package llm

import (
	"bytes"
	"iter"
	"slices"
)

// ModelUsage is what attempts of a call used that asked the same model one after
// another, and the name of that model, which may be empty.
type ModelUsage struct {
	Model string `json:"model,omitempty"`
	Usage Usage  `json:"usage"`
}

// Bill returns what the call used, by model, in the order of Spent, and what Usage
// has beyond that as used by Model. A plain call is one, also
// when it used nothing. Whoever puts a price on a response goes through it, as a
// Round does. Numbers below zero count as zero: less than nothing takes away
// nothing of what was used. Cached tokens are never more than the input, and reasoning tokens never more than the output. The bill of nil is empty.
func (r *Response) Bill() iter.Seq[ModelUsage] {
	return func(yield func(ModelUsage) bool) {
		if r == nil {
			return
		}
		rest := r.Usage.possible()
		for _, part := range r.Spent {
			part.Usage = part.Usage.possible()
			rest.InputTokens -= part.Usage.InputTokens
			rest.OutputTokens -= part.Usage.OutputTokens
			rest.CacheReadTokens -= part.Usage.CacheReadTokens
			rest.CacheCreationTokens -= part.Usage.CacheCreationTokens
			rest.ReasoningTokens -= part.Usage.ReasoningTokens
			rest = rest.possible() // at once: below zero, many parts would come around to above it
			if !yield(part) {
				return
			}
		}
		if len(r.Spent) == 0 || rest != (Usage{}) {
			yield(ModelUsage{Model: r.Model, Usage: rest})
		}
	}
}

// Clone returns a deep copy; nil stays nil.
func (r *Response) Clone() *Response {
	if r == nil {
		return nil
	}
	c := *r
	c.Spent, c.Repairs = slices.Clone(r.Spent), slices.Clone(r.Repairs)
	c.Calls, c.Reasoning = cloneCalls(r.Calls), bytes.Clone(r.Reasoning)
	return &c
}

// possible is the usage without what cannot be.
func (u Usage) possible() Usage {
	u.InputTokens, u.OutputTokens = max(0, u.InputTokens), max(0, u.OutputTokens)
	u.CacheReadTokens = min(max(0, u.CacheReadTokens), u.InputTokens)
	u.CacheCreationTokens = min(max(0, u.CacheCreationTokens), u.InputTokens-u.CacheReadTokens)
	u.ReasoningTokens = min(max(0, u.ReasoningTokens), u.OutputTokens)
	return u
}

// spent adds up what the attempts of one call used.
type spent struct {
	alike bool // all are of one model: an attempt without a name has that of those before it
	usage Usage
	by    []ModelUsage // attempts that used something, and the one that answered; neighbours of one model in one
	model string       // the last name
}

// add counts what an attempt returned. It returns the response, which may be nil,
// with the sum so far. It leaves the response itself alone: the caller of a
// broken Model may not be the only one who has it.
func (s *spent) add(resp *Response, err error) *Response {
	first := len(s.by) == 0
	if first && err == nil {
		return resp // mostly: nothing failed that was to be paid for
	}
	s.count(resp, err == nil)
	switch {
	case len(s.by) == 0, first && resp != nil:
		return resp
	case resp == nil:
		resp = &Response{}
	}
	sum := *resp
	sum.Usage = s.usage
	if sum.Model == "" && (s.alike || err != nil) { // of a response with an error, Model is who used something
		sum.Model = s.model
	}
	sum.Spent = s.by
	if len(s.by) == 1 && s.by[0] == (ModelUsage{Model: sum.Model, Usage: sum.Usage}) {
		sum.Spent = nil // the response says as much without it
	}
	return &sum
}

func (s *spent) count(resp *Response, answered bool) {
	if resp == nil {
		return
	}
	if resp.Model != "" {
		s.model = resp.Model
	}
	for part := range resp.Bill() {
		if part.Usage == (Usage{}) && !answered {
			continue
		}
		if part.Model == "" && s.alike {
			part.Model = s.model
		}
		s.usage = s.usage.Add(part.Usage)
		if last := len(s.by) - 1; last >= 0 && s.by[last].Model == part.Model {
			// A Retry without end would make a list without end.
			s.by[last].Usage = s.by[last].Usage.Add(part.Usage)
			continue
		}
		s.by = append(s.by, part)
	}
}
