package llmtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// request returns a request as it is stored, and its key.
func (c *cleaner) request(req *llm.Request) (storedRequest, string, error) {
	s := storedRequest{Messages: []storedMessage{}, MaxTokens: req.MaxTokens}
	if req.Temperature != nil {
		t := *req.Temperature
		s.Temperature = &t
	}
	for _, m := range req.Messages {
		message := storedMessage{Role: c.ask(string(m.Role)), Parts: []storedPart{}}
		for _, part := range m.Parts {
			stored := storedPart{Text: splitLines(c.ask(part.Text))}
			if image := part.Image; image != nil {
				sum := sha256.Sum256(image.Data)
				stored.Image = &storedImage{MediaType: c.ask(image.MediaType), Size: len(image.Data), SHA256: hex.EncodeToString(sum[:])}
			}
			message.Parts = append(message.Parts, stored)
		}
		message.CallID, message.Calls, message.Reasoning = c.ask(m.CallID), cleanCalls(m.Calls, c.ask), cleanJSON(m.Reasoning, c.ask)
		s.Messages = append(s.Messages, message)
	}
	s.Tools = c.tools(req.Tools)
	if schema := req.Schema; schema != nil {
		raw := json.RawMessage(c.ask(string(schema.JSON)))
		if !json.Valid(raw) {
			text, err := json.Marshal(string(raw))
			if err != nil {
				return s, "", err
			}
			raw = text
		}
		s.Schema = &storedSchema{Name: c.ask(schema.Name), Description: c.ask(schema.Description), JSON: raw, Strict: schema.Strict}
	}
	key, err := s.key()
	return s, key, err
}

// key tells requests apart. It is the JSON without white space, the same for what
// is asked and for what was read from a file.
func (s *storedRequest) key() (string, error) {
	raw, err := json.Marshal(s)
	return string(raw), err
}

// lines show a request to people. They begin with what changes most.
func (s *storedRequest) lines() []string {
	var list []string
	for _, m := range s.Messages {
		list = append(list, strings.TrimSpace("--- "+m.Role+" "+m.CallID))
		for i, part := range m.Parts {
			if i > 0 {
				list = append(list, "--- "+m.Role+", next part")
			}
			list = append(list, part.Text...)
			if image := part.Image; image != nil {
				list = append(list, fmt.Sprintf("[%s, %s, sha256 %s]", image.MediaType, bytesOf(image.Size), image.SHA256))
			}
		}
		list = append(list, callLines(m.Calls)...)
	}
	if len(s.Messages) == 0 {
		list = append(list, "(no messages)")
	}
	if s.Schema != nil {
		list = append(list, "--- schema "+s.Schema.Name)
		if s.Schema.Description != "" {
			list = append(list, splitLines(s.Schema.Description)...)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, s.Schema.JSON, "", "  "); err != nil {
			b.Write(s.Schema.JSON)
		}
		list = append(list, splitLines(b.String())...)
	}
	for _, tool := range s.Tools {
		list = append(list, "--- tool "+tool.Name+": "+tool.Description, string(compact(tool.Parameters)))
		if tool.Strict != nil {
			list = append(list, "--- strict: "+string(compact(tool.Strict)))
		}
	}
	if s.MaxTokens != 0 {
		list = append(list, fmt.Sprintf("--- max_tokens %d", s.MaxTokens))
	}
	if s.Temperature != nil {
		list = append(list, fmt.Sprintf("--- temperature %v", *s.Temperature))
	}
	return list
}

func (s *storedRequest) text() string { return joinLines(s.lines()) }

// splitLines is the inverse of joinLines. No text has no lines.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func joinLines(lines []string) string { return strings.Join(lines, "\n") }
