// Package task reads tasks, sets them up, and says from outside of the windows whether they are done.
package task

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
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
func Read(files fs.FS) (list []Task, err error) {
	names, err := fs.Glob(files, "tasks/*.json")
	if err == nil && len(names) == 0 {
		err = errors.New("there is no tasks/*.json")
	}
	if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	seen := map[string]string{}
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("task: %w", err)
		}
		t, err := read(raw)
		if err == nil && seen[t.Name] != "" {
			err = fmt.Errorf("%s has a task of the name %s, too", seen[t.Name], t.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("task: %s: %w", name, err)
		}
		seen[t.Name] = name
		list = append(list, t)
	}
	return list, nil
}

func read(raw []byte) (t Task, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return t, errors.New("there is something behind the task")
	}
	t.Ends = cmp.Or(t.Ends, round.Finished)
	return t, t.valid()
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
	folder, err := os.OpenRoot(dir) // whatever a file is called, it is in there
	if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	defer folder.Close() //nolint:errcheck // what was written is written
	for name, text := range t.Files {
		if err := folder.WriteFile(name, []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("task: %w", err)
		}
	}
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
