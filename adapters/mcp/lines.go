package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines passes on the lines that are messages, and drops the others: many programs
// greet or log to their standard output, and one such line would end the session.
type lines struct {
	from  *bufio.Reader
	most  int // bytes of a line; negative: any
	drop  func(bytes int)
	text  []byte // of the line that is being read by who reads us
	fault error
}

func newLines(from io.Reader, most int, drop func(int)) *lines {
	return &lines{from: bufio.NewReaderSize(from, 64<<10), most: most, drop: drop}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.text) == 0 {
		if l.fault != nil {
			return 0, l.fault
		}
		line, err := l.line()
		l.fault = err
		switch {
		case isMessage(line):
			l.text = append(bytes.TrimSpace(line), '\n')
		case len(bytes.TrimSpace(line)) > 0:
			l.drop(len(line))
		}
	}
	n := copy(p, l.text)
	l.text = l.text[n:]
	return n, nil
}

// line reads one line, with its end.
func (l *lines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.from.ReadSlice('\n')
		line = append(line, part...)
		if l.most >= 0 && len(line) > l.most {
			return nil, &tooLongError{l.most}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// isMessage reports whether a line is a message, or several of them as the oldest
// versions of the protocol have it.
func isMessage(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	if line[0] == '[' {
		return bytes.HasPrefix(bytes.TrimSpace(line[1:]), []byte("{")) && json.Valid(line)
	}
	if line[0] != '{' {
		return false
	}
	_, err := jsonrpc.DecodeMessage(line)
	return err == nil
}

// counter counts what is logged the first time, and then ever more rarely.
type counter struct{ n atomic.Int64 }

// worth reports whether the next one is worth a line in a log.
func (c *counter) worth() (n int64, yes bool) {
	n = c.n.Add(1)
	return n, n&(n-1) == 0
}
