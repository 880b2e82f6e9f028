package llm

// spent adds up what the attempts of one call used.
type spent struct {
	usage Usage
	model string // the last one that used something
}

// add counts a response, which may be nil, and returns it with the sum so far. It
// leaves the response itself alone, which may be somebody else's.
func (s *spent) add(resp *Response) *Response {
	before := *s
	if resp != nil {
		// As little as in a Round less than nothing takes away what was used.
		s.usage = s.usage.Add(Usage{InputTokens: max(0, resp.Usage.InputTokens), OutputTokens: max(0, resp.Usage.OutputTokens)})
		s.model = resp.Model
	}
	switch {
	case before.usage == Usage{}:
		return resp
	case resp == nil:
		return &Response{Usage: s.usage, Model: s.model}
	}
	sum := *resp
	sum.Usage = s.usage
	return &sum
}
