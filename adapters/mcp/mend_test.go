package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// oddServer answers as its author pleases: it is a list of tools, page by page, and what its one tool answers, as JSON.
type oddServer struct {
	pages  []string
	answer string
	status int // of the answer of the tool; 0: success
	calls  int
}

// answerTo is the message that answers another, nil where none does.
func (s *oddServer) answerTo(line []byte) (message []byte, call bool) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params struct{ Cursor string }
	}
	if json.Unmarshal(line, &req) != nil || req.ID == nil {
		return nil, false
	}
	result := "{}"
	switch req.Method {
	case "initialize":
		result = fmt.Sprintf(`{"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}`, older)
	case "tools/list":
		result = s.pages[min(len(req.Params.Cursor), len(s.pages)-1)]
	case "tools/call":
		s.calls++
		result, call = s.answer, true
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result), call
}

// oddWays are those to reach a server.
var oddWays = map[string]func(t *testing.T, s *oddServer) mcp.Server{
	"JSON": func(t *testing.T, s *oddServer) mcp.Server { return s.web(t, "application/json", "%s") },
	"stream": func(t *testing.T, s *oddServer) mcp.Server {
		return s.web(t, "text/event-stream", "event: message\ndata: %s\n\n")
	},
	"pipe": func(_ *testing.T, s *oddServer) mcp.Server {
		in, theirs := io.Pipe()
		ours, out := io.Pipe()
		go func() {
			defer out.Close()
			for lines := newScanner(in); lines.Scan(); {
				if answer, _ := s.answerTo(lines.Bytes()); answer != nil {
					_, _ = out.Write(append(answer, '\n'))
				}
			}
		}()
		return mcp.Server{Name: "odd", Transport: &sdk.IOTransport{Reader: ours, Writer: theirs}, ProtocolVersion: older}
	},
}

func (s *oddServer) web(t *testing.T, media, form string) mcp.Server {
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, _ := io.ReadAll(r.Body)
		answer, call := s.answerTo(body)
		switch {
		case answer == nil:
			w.WriteHeader(http.StatusAccepted)
		case call && s.status != 0:
			w.WriteHeader(s.status)
			_, _ = io.WriteString(w, s.answer)
		default:
			w.Header().Set("Content-Type", media)
			_, _ = fmt.Fprintf(w, form, answer)
		}
	}))
	return mcp.Server{Name: "odd", URL: server.URL, ProtocolVersion: older}
}

const saveTool = `{"name":"save","inputSchema":{"type":"object"}}`

// The tool has run, whatever is odd in what it answers.
func TestAnswersOfAToolAreOdd(t *testing.T) {
	const unknown = `[content of an unknown kind, "blob", or one that cannot be read]`
	for name, c := range map[string]struct {
		answer string
		status desktop.Status
		text   string
		unread bool
	}{
		"an unknown kind": {`{"content":[{"type":"blob","data":"AAAA"},{"type":"text","text":"saved"}]}`, desktop.Success, unknown + "\nsaved", false},
		"an unknown kind with JSON": {`{"content":[{"type":"json","json":{"a":1}}],"structuredContent":{"a":1}}`, desktop.Success,
			`[content of an unknown kind, "json", or one that cannot be read]` + "\n" + `{"a":1}`, false},
		"an unknown kind of text": {`{"content":[{"type":"markdown","text":"# saved"}]}`, desktop.Success, "# saved", false},
		"no kind":                 {`{"content":[{"text":"saved"}]}`, desktop.Success, "saved", false},
		"a picture that is none":  {`{"content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,AAAA"}]}`, desktop.Success, `[content of an unknown kind, "image", or one that cannot be read]`, false},
		"a text alone":            {`{"content":"saved"}`, desktop.Success, "saved", false},
		"a list of texts":         {`{"content":["saved",7]}`, desktop.Success, "saved\n" + `[content of an unknown kind, "", or one that cannot be read]`, false},
		"a piece alone":           {`{"content":{"type":"text","text":"saved"}}`, desktop.Success, "saved", false},
		"a failure in a word":     {`{"content":"no room","isError":"true"}`, desktop.Failure, "no room", false},
		"a success in a word":     {`{"content":"saved","isError":"false"}`, desktop.Success, "saved", false},
		"an odd remark":           {`{"content":[{"type":"text","text":"saved"}],"_meta":7}`, desktop.Success, "saved", false},
		"no object":               {`"saved"`, desktop.Success, "it answered, and the answer cannot be read", true},
		"a list":                  {`[{"type":"text","text":"saved"}]`, desktop.Success, "it answered, and the answer cannot be read", true},
	} {
		for way, reach := range oddWays {
			t.Run(name+"/"+way, func(t *testing.T) {
				s := &oddServer{pages: []string{`{"tools":[` + saveTool + `]}`}, answer: c.answer}
				d := open(t, mcp.Config{Servers: []mcp.Server{reach(t, s)}})
				for range 2 { // the connection is as good as before
					res := call(t, d, "save", nil)
					assert.Equal(t, c.status, res.Status)
					assert.Equal(t, c.unread, res.Unverified != "")
					assert.Equal(t, c.text, res.Text()+res.Error)
				}
				assert.Equal(t, 2, s.calls, "once each")
			})
		}
	}
}

// One tool takes no other one with it, and one server no other server.
func TestListsOfToolsAreOdd(t *testing.T) {
	for name, c := range map[string]struct {
		pages []string
		tools []string
		log   string
	}{
		"a hint in a word":     {[]string{`{"tools":[{"name":"bad","annotations":{"readOnlyHint":"true"},"inputSchema":{"type":"object"}},` + saveTool + `]}`}, []string{"save", "look"}, "a tool is left out"},
		"a description":        {[]string{`{"tools":[{"name":"bad","description":7,"inputSchema":{"type":"object"}},` + saveTool + `]}`}, []string{"save", "look"}, "tool=bad"},
		"icons":                {[]string{`{"tools":[{"name":"bad","icons":"x.png","inputSchema":{"type":"object"}},` + saveTool + `]}`}, []string{"save", "look"}, "tool=bad"},
		"a word":               {[]string{`{"tools":["bad",` + saveTool + `]}`}, []string{"save", "look"}, "a tool is left out"},
		"a cursor that stays":  {[]string{`{"tools":[` + saveTool + `],"nextCursor":"x"}`}, []string{"save", "look"}, "follows itself"},
		"the last page again":  {[]string{`{"tools":[` + saveTool + `],"nextCursor":"x"}`, `{"tools":[{"name":"more","inputSchema":{"type":"object"}}],"nextCursor":"x"}`}, []string{"save", "more", "look"}, "follows itself"},
		"a number as a cursor": {[]string{`{"tools":[` + saveTool + `],"nextCursor":7}`}, []string{"save", "look"}, "the rest of the list"},
		"no list":              {[]string{`{"tools":"save"}`}, []string{"look"}, "the tools of a server are left out"},
		"no object":            {[]string{`"save"`}, []string{"look"}, "it cannot be read"},
	} {
		for way, reach := range oddWays {
			t.Run(name+"/"+way, func(t *testing.T) {
				var log bytes.Buffer
				beside := newBench(t, "bench")
				d := open(t, mcp.Config{
					Servers: []mcp.Server{reach(t, &oddServer{pages: c.pages, answer: `{"content":[]}`}), {Name: "b", Transport: beside.memory(t), Only: []string{"look"}}},
					Logger:  slog.New(slog.NewTextHandler(&log, nil)),
				})
				assert.Equal(t, c.tools, names(t, d))
				assert.Contains(t, log.String(), c.log)
				assert.Equal(t, "all is well", call(t, d, "look", nil).Text())
			})
		}
	}
}

// Where no server has another list, it is the error of all.
func TestListOfToolsThatNobodyCanRead(t *testing.T) {
	d := open(t, mcp.Config{Servers: []mcp.Server{oddWays["JSON"](t, &oddServer{pages: []string{`{"tools":7}`}})}})
	_, err := d.Tools(t.Context())
	require.ErrorIs(t, err, mcp.ErrProtocol)
	require.ErrorContains(t, err, "it cannot be read")
}

// A status that refuses one call is told to the agent, and the next call is made.
func TestStatusRefusesOneCall(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		told   string
		is     error
	}{
		"a bad request": {http.StatusBadRequest, "text is missing", "Bad Request: text is missing", nil},
		"no reason":     {http.StatusUnprocessableEntity, "", "Unprocessable Entity", nil},
		"a page":        {http.StatusRequestEntityTooLarge, "<html>too large</html>", "Request Entity Too Large", nil},
		"JSON":          {http.StatusBadRequest, `{"error": "text is missing"}`, `Bad Request: {"error": "text is missing"}`, nil},
		"the session":   {http.StatusBadRequest, "no valid session id", "", mcp.ErrDisconnected},
	} {
		t.Run(name, func(t *testing.T) {
			s := &oddServer{pages: []string{`{"tools":[` + saveTool + `]}`}, answer: c.body, status: c.status}
			d := open(t, mcp.Config{Servers: []mcp.Server{oddWays["JSON"](t, s)}})
			res, err := d.Execute(t.Context(), desktop.Command{ToolName: "save", CallID: "1"})
			require.ErrorIs(t, err, c.is)
			if c.is != nil {
				return
			}
			assert.Equal(t, desktop.Failure, res.Status)
			assert.Equal(t, c.told, res.Error)
			s.status, s.answer = 0, `{"content":[{"type":"text","text":"saved"}]}`
			assert.Equal(t, "saved", call(t, d, "save", nil).Text())
		})
	}
}
