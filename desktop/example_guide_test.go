package desktop_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// Shelf is what the tools work on: books, and how many there are.
type Shelf struct {
	mu    sync.Mutex // a Desktop may be called by several goroutines
	books map[string]int
}

// Order has the arguments of the tool lend. Its fields are the schema.
type Order struct {
	Title string `json:"title" desc:"as it is on the cover"`
	Days  int    `json:"days,omitempty" desc:"how long; 14 unless it says otherwise"`
	Card  string `json:"card" format:"password"` // a secret: masked in every record
}

// Lend lends a book. Its error is a refusal, which the model reads.
func (s *Shelf) Lend(_ context.Context, o Order) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.books[o.Title] == 0 {
		return "", errors.New("there is no such book on the shelf")
	}
	s.books[o.Title]--
	return "lent", nil
}

// Stock returns what is on the shelf, as JSON.
func (s *Shelf) Stock(context.Context, struct{}) (map[string]int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.books), nil // a copy: the caller may change it
}

// NewLibrary returns a Desktop with one window.
func NewLibrary(s *Shelf) (desktop.Desktop, error) {
	tools, err := desktop.New(
		desktop.Func("lend", "Lend a book.", s.Lend, nil),
		desktop.Func("stock", "List the books.", s.Stock, &desktop.Annotations{ReadOnlyHint: true}),
	)
	if err != nil {
		return nil, err // a type without a schema, two tools of one name
	}
	return desktop.Screen(desktop.App{Window: desktop.Window{Root: "library"}, Desktop: tools})
}

// Go funcs become tools, tools a window, and a HostAgent works in it.
func Example_guide() {
	desk, err := NewLibrary(&Shelf{books: map[string]int{"Emma": 1}})
	if err != nil {
		panic(err)
	}
	model := llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlText": "library", "CurrentSubTask": "lend Emma"}`,
		`{"Status": "FINISH", "Function": "lend", "Args": {"title": "Emma", "card": "c-1815"}, "Result": "lent"}`,
		`{"Status": "FINISH", "Result": "Emma is yours for two weeks."}`,
	)
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk}})
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "I would like to read Emma", nil)
	if err != nil {
		panic(err)
	}
	for step, err := range r.Steps(context.Background()) {
		if err != nil {
			fmt.Println("stopped:", err)
			return
		}
		for _, c := range step.Commands {
			if !c.Command.Looks {
				fmt.Println(c.Command.ToolName, c.Command.Parameters, c.Result.Status)
			}
		}
	}
	fmt.Println(r.Result().Answer)
	// Output:
	// lend map[card:*** title:Emma] success
	// Emma is yours for two weeks.
}

// Files is a Desktop without a helper: two methods, and a Toolbox that knows the schemas.
type Files struct {
	root fs.FS
	box  *desktop.Toolbox
}

// NewFiles returns a Desktop that reads files.
func NewFiles(root fs.FS) *Files {
	box, err := desktop.NewToolbox([]desktop.Tool{{
		Name: "read_file",
		InputSchema: []byte(`{
			"type": "object",
			"properties": {"path": {"type": "string"}},
			"required": ["path"],
			"additionalProperties": false
		}`),
		Annotations: desktop.Annotations{ReadOnlyHint: true},
	}}, nil)

	if err != nil {
		panic(err) // a schema above is wrong
	}
	return &Files{root: root, box: box}
}

// Tools lists what can be done.
func (f *Files) Tools(context.Context) ([]desktop.Tool, error) { return f.box.Tools(), nil }

// Execute does it. A tool that is not there, arguments that do not fit and what the file
// system refuses are failures; only a broken way to it would be an error.
func (f *Files) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	if err := f.box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	var p struct {
		Path string `json:"path"`
	}
	if err := cmd.Decode(&p); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	text, err := fs.ReadFile(f.root, p.Path)
	if err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	return desktop.TextResult(string(text)), nil
}

// Three ways in which a command does not succeed.
func Example_failures() {
	ctx := context.Background()
	desk, err := desktop.New(
		desktop.Func("lend", "Lend a book.", (&Shelf{}).Lend, nil),
		desktop.Func("fax", "Send a fax.", func(context.Context, struct{}) (string, error) {
			return "", &desktop.CallError{Err: errors.New("the line is dead")}
		}, nil),
	)
	if err != nil {
		panic(err)
	}

	// region ways
	// The tool refuses: a Result. The model reads why.
	lend := desktop.Command{ToolName: "lend", Parameters: map[string]any{"title": "Emma", "card": "c-1815"}}
	res, err := desktop.Execute(ctx, desk, lend)
	fmt.Println(res.Status, res.Error, err)

	// Check finds arguments that do not fit the schema, before anything is sent.
	box, err := desktop.Open(ctx, desk, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(box.Check(desktop.Command{ToolName: "lend", Parameters: map[string]any{"titel": "Emma", "card": "c-1815"}}))

	// The call broke: an error. Nobody knows whether it had an effect.
	_, err = desktop.Execute(ctx, desk, desktop.Command{ToolName: "fax"})
	var broken *desktop.CallError
	fmt.Println(errors.As(err, &broken), err)
	// endregion

	// Output:
	// failure there is no such book on the shelf <nil>
	// desktop: lend: the arguments do not fit: "titel" is not allowed; "title" is required
	// true desktop: fax: the line is dead
}

func TestLibrary(t *testing.T) {
	shelf := sync.Map{} // of each Desktop
	order := desktop.Command{ToolName: "lend", Parameters: map[string]any{"title": "Emma", "card": "c-1815"}}
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		s := &Shelf{books: map[string]int{"Emma": 100}}
		screen, err := NewLibrary(s)
		if err != nil {
			t.Fatal(err)
		}
		desk, err := desktop.Scope(t.Context(), screen, "1")
		if err != nil {
			t.Fatal(err)
		}
		shelf.Store(desk, s)
		return desk
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "stock"},
		Failing: desktop.Command{ToolName: "lend", Parameters: map[string]any{"title": "Ulysses", "card": "c-1815"}},
		Effect:  order,
		Effects: func(d desktop.Desktop) int {
			s, _ := shelf.Load(d)
			return 100 - s.(*Shelf).books["Emma"]
		},
	})
}

func TestFiles(t *testing.T) {
	desktoptest.Run(t, func(testing.TB) desktop.Desktop {
		return NewFiles(fstest.MapFS{"a.txt": {Data: []byte("hello")}})
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "read_file", Parameters: map[string]any{"path": "a.txt"}},
		Failing: desktop.Command{ToolName: "read_file", Parameters: map[string]any{"path": "../b.txt"}},
	})
}
