package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/agentfsm/agentfsm/llm"
)

// cassetteVersion is the format that is written. A newer one is refused.
const cassetteVersion = 1

// cassette is the file. Texts are lists of lines, so that a change shows as one.
type cassette struct {
	Version   int        `json:"version"`
	Exchanges []exchange `json:"exchanges"`
}

type exchange struct {
	Request storedRequest  `json:"request"`
	Replies []*storedReply `json:"replies"` // in the order in which they are given
}

type storedRequest struct {
	Messages    []storedMessage `json:"messages"`
	Schema      *storedSchema   `json:"schema,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
	Tools       []llm.Tool      `json:"tools,omitempty"`
}

type storedMessage struct {
	Role      string          `json:"role"`
	Parts     []storedPart    `json:"parts"`
	Calls     []llm.Call      `json:"calls,omitempty"`
	CallID    string          `json:"call_id,omitempty"`
	Reasoning json.RawMessage `json:"reasoning,omitempty"`
}

type storedPart struct {
	Text  []string     `json:"text,omitempty"`
	Image *storedImage `json:"image,omitempty"`
}

// storedImage stands for a picture, whose bytes are not kept.
type storedImage struct {
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
	SHA256    string `json:"sha256"`
}

type storedSchema struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	JSON        json.RawMessage `json:"schema"` // a string when it is no JSON
	Strict      bool            `json:"strict,omitempty"`
}

type storedReply struct {
	Response *storedResponse `json:"response,omitempty"`
	Error    *storedError    `json:"error,omitempty"`
	Waits    bool            `json:"waits,omitempty"` // until its context ends
}

type storedResponse struct {
	Text         []string  `json:"text,omitempty"`
	Usage        llm.Usage `json:"usage"`
	Model        string    `json:"model,omitempty"`
	FinishReason string    `json:"finish_reason,omitempty"`

	Calls     []llm.Call      `json:"calls,omitempty"`
	Reasoning json.RawMessage `json:"reasoning,omitempty"`

	Spent   []llm.ModelUsage `json:"spent,omitempty"` // of each attempt, when a stack of models was recorded
	Repairs []llm.Repair     `json:"repairs,omitempty"`
}

// load reads the file.
func (p *Tape) load() error {
	raw, err := os.ReadFile(p.file)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such recording; " + howToRecord(p.t, p.path))
	}
	if err != nil {
		return err
	}
	c, err := parseCassette(raw)
	if err != nil {
		return err
	}
	for i, x := range c.Exchanges {
		key, err := x.Request.key()
		if err != nil {
			return fmt.Errorf("the file is damaged: request %d: %w", i+1, err)
		}
		if p.tracks[key] != nil {
			return fmt.Errorf("the file is damaged: request %d is there twice", i+1)
		}
		tr := &track{key: key, request: x.Request, replies: x.Replies}
		p.tracks[key] = tr
		p.order = append(p.order, tr)
	}
	return nil
}

// parseCassette reads a file strictly: what was changed by hand and is not
// understood must not be ignored.
func parseCassette(raw []byte) (*cassette, error) {
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("the file is damaged: %w", err)
	}
	switch {
	case head.Version == nil || *head.Version < 1:
		return nil, errors.New("the file is damaged: it has no version")
	case *head.Version > cassetteVersion:
		return nil, fmt.Errorf("the file has version %d, and this llmtest reads up to %d: use a newer one", *head.Version, cassetteVersion)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var c cassette
	if err := dec.Decode(&c); err != nil {
		return nil, fmt.Errorf("the file is damaged: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file is damaged: something follows the recording")
	}
	for i, x := range c.Exchanges {
		for j, r := range x.Replies {
			if err := r.check(); err != nil {
				return nil, fmt.Errorf("the file is damaged: reply %d to request %d: %w", j+1, i+1, err)
			}
		}
		if len(x.Replies) == 0 {
			return nil, fmt.Errorf("the file is damaged: request %d has no reply", i+1)
		}
	}
	return &c, nil
}

func (r *storedReply) check() error {
	switch {
	case r == nil:
		return errors.New("it is null")
	case r.Waits && (r.Response != nil || r.Error != nil):
		return errors.New("it waits and answers")
	case r.Response == nil && r.Error == nil && !r.Waits:
		return errors.New("it has neither a response nor an error")
	case r.Error != nil:
		_, err := r.Error.restore()
		return err
	}
	return nil
}

// result is what the call returned.
func (r *storedReply) result() (*llm.Response, error) {
	var resp *llm.Response
	if s := r.Response; s != nil {
		resp = &llm.Response{
			Text: joinLines(s.Text), Usage: s.Usage, Model: s.Model, FinishReason: s.FinishReason,
			Spent: s.Spent, Repairs: s.Repairs, Calls: s.Calls, Reasoning: s.Reasoning,
		}
		resp = resp.Clone() // the recording stays as it is
		resp.Reasoning = compact(resp.Reasoning)
		for i := range resp.Calls {
			resp.Calls[i].Args = compact(resp.Calls[i].Args)
		}
	}
	if r.Error == nil {
		return resp, nil
	}
	restored, err := r.Error.restore()
	return resp, errors.Join(restored, err)
}

// writeJSON is the one form in which a cassette is written.
func writeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
