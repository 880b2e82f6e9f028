package desktop_test

import (
	"context"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
)

// fake is a desktop of two funcs. It remembers the commands it got.
type fake struct {
	tools   func(ctx context.Context) ([]desktop.Tool, error)
	execute func(ctx context.Context, cmd desktop.Command) (desktop.Result, error)

	mu  sync.Mutex
	got []desktop.Command
}

func (f *fake) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if f.tools == nil {
		return nil, nil
	}
	return f.tools(ctx)
}

func (f *fake) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	f.mu.Lock()
	f.got = append(f.got, cmd)
	f.mu.Unlock()
	if f.execute == nil {
		return desktop.TextResult("done"), nil
	}
	return f.execute(ctx, cmd)
}

// names are the tools that were called.
func (f *fake) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, cmd := range f.got {
		names = append(names, cmd.ToolName)
	}
	return names
}

// offers returns a fake with tools of these names, which accept anything.
func offers(names ...string) *fake {
	return &fake{tools: func(context.Context) ([]desktop.Tool, error) {
		tools := make([]desktop.Tool, len(names))
		for i, name := range names {
			tools[i].Name = name
		}
		return tools, nil
	}}
}

// answers returns a fake that gives the same answer to every command.
func answers(res desktop.Result, err error) *fake {
	return &fake{execute: func(context.Context, desktop.Command) (desktop.Result, error) { return res, err }}
}

// scoped is a fake that can be narrowed.
type scoped struct {
	*fake
	scope func(ctx context.Context, windowID string) (desktop.Desktop, error)
}

func (s scoped) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	return s.scope(ctx, windowID)
}
