// Package task reads tasks, sets them up, and says from outside of the windows whether they are done.
package task

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/round"
)

// Task is one of the folder tasks. In texts $DIR stands for the folder of the task, $HOME for that of its programs, and
// $PAGE for the address of its page.
type Task struct {
	Name        string            `json:"name"`
	Instruction string            `json:"instruction"`
	Needs       []string          `json:"needs"`           // programs that must be installed
	Files       map[string]string `json:"files,omitempty"` // that are in the folder at the beginning
	Page        string            `json:"page,omitempty"`  // HTML with a form, on a server of the task
	Opens       [][]string        `json:"opens"`           // what runs at the beginning
	Ends        round.Outcome     `json:"ends,omitempty"`  // "": FINISH
	Expect      []Expect          `json:"expect"`          // what must hold at the end
}

// Read reads all tasks of a file system, by the names of their files.
func Read(files embed.FS) (list []Task, err error) {
	names, err := fs.Glob(files, "tasks/*.json")
	if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	for _, name := range names {
		raw, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("task: %w", err)
		}
		t := Task{Ends: round.Finished}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&t); err != nil {
			return nil, fmt.Errorf("task: %s: %w", name, err)
		}
		if t.Name == "" || t.Instruction == "" || len(t.Expect) == 0 {
			return nil, fmt.Errorf("task: %s: a name, an instruction or what is expected is missing", name)
		}
		list = append(list, t)
	}
	return list, nil
}

// Set is a task that is set up.
type Set struct {
	Task
	dir    string
	server *httptest.Server

	mu   sync.Mutex
	sent []url.Values
}

// SetUp puts the files into a folder and starts the page. home is the folder of the programs. Close it.
func (t Task) SetUp(dir, home string) (*Set, error) {
	s := &Set{Task: t, dir: dir}
	page := ""
	if t.Page != "" {
		s.server = httptest.NewServer(http.HandlerFunc(s.serve))
		page = s.server.URL
	}
	whole := strings.NewReplacer("$DIR", dir, "$HOME", home, "$PAGE", page).Replace
	s.Instruction, s.Opens = whole(t.Instruction), nil
	for _, argv := range t.Opens {
		argv = slices.Clone(argv)
		for i := range argv {
			argv[i] = whole(argv[i])
		}
		s.Opens = append(s.Opens, argv)
	}
	for name, text := range t.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			s.Close()
			return nil, fmt.Errorf("task: %w", err)
		}
	}
	return s, nil
}

// Close ends the page.
func (s *Set) Close() {
	if s.server != nil {
		s.server.Close()
	}
}

// maxForm is how much a form may send.
const maxForm = 1 << 16

// serve shows the page, and remembers what its form sends.
func (s *Set) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	text := s.Page
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.sent = append(s.sent, r.PostForm)
		s.mu.Unlock()
		text = "<title>Thank you</title><h1>Thank you</h1>"
	}
	_, _ = w.Write([]byte(text)) // a browser that left wants no page
}
