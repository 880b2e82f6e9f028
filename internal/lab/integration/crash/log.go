package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// What the model and the desktop log. An act is a command that changes something.
const (
	evCall  = "call"  // the model was asked
	evReply = "reply" // and is about to answer
	evOpen  = "open"  // a worker connected to the desktop, and took it from the one before
	evLook  = "look"  // a command that only looks was executed
	evGot   = "got"   // an act has arrived
	evBegin = "begin" // its execution begins
	evEnd   = "end"   // and has ended
	evGone  = "gone"  // it is never executed: its worker went away while it waited
	evStale = "stale" // it is never executed: its worker had lost the desktop when it came
)

// event is a line of a log.
type event struct {
	Seq  int64     `json:"seq"` // in its log, from 1
	At   time.Time `json:"at"`
	Run  string    `json:"run"`
	What string    `json:"what"`
	Life int       `json:"life,omitempty"` // of the worker, as the desktop counts them
	Act  string    `json:"act,omitempty"`  // tool and arguments
	Call string    `json:"call,omitempty"` // the CallID of the command
}

// logbook is the log of a process: a file, and the same lines for who started it.
type logbook struct {
	mu   sync.Mutex
	seq  int64
	file *os.File
	also io.Writer
}

func newLogbook(path string, also io.Writer) (*logbook, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	return &logbook{file: f, also: also}, nil
}

// add writes an event. A process that cannot keep its log is of no use.
func (b *logbook) add(e event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	e.Seq, e.At = b.seq, time.Now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("crash: log: %w", err)
	}
	line = append(line, '\n')
	if _, err := b.file.Write(line); err != nil {
		return fmt.Errorf("crash: log: %w", err)
	}
	if _, err := b.also.Write(line); err != nil {
		return fmt.Errorf("crash: log: %w", err)
	}
	return nil
}

// logReader reads a log while it is written.
type logReader struct {
	path string

	mu    sync.Mutex
	at    int64 // bytes that were read
	seq   int64
	byRun map[string][]event
}

// of returns what the log has of a run by now.
func (r *logReader) of(run string) ([]event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.refresh(); err != nil {
		return nil, fmt.Errorf("crash: %s: %w", r.path, err)
	}
	return r.byRun[run], nil
}

var errGap = errors.New("a line is missing in the log")

// refresh reads the lines that are new. A line that is not whole yet is left.
func (r *logReader) refresh() error {
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(r.at, io.SeekStart); err != nil {
		return err
	}
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if r.seq++; e.Seq != r.seq {
			return fmt.Errorf("%w: %d instead of %d", errGap, e.Seq, r.seq)
		}
		if r.byRun == nil {
			r.byRun = map[string][]event{}
		}
		r.at += int64(len(line))
		r.byRun[e.Run] = append(r.byRun[e.Run], e)
	}
}
