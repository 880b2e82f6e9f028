package stage

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// Costs are those of what ran on a [Stage] so far.
type Costs struct {
	Calls   int           // of the model
	Prompts int           // bytes of text in them
	Model   time.Duration // spent in them
	Looks   int           // how often the controls of a window were read
	Trees   int           // bytes of JSON that they returned
	Looking time.Duration // spent in them
	Tree    int64         // calls to the accessibility tree, of looks
	AllTree int64         // and of everything
	Acting  time.Duration // spent in other commands
	ByTool  map[string]Cost
}

// Cost is that of one tool.
type Cost struct {
	Calls int
	Time  time.Duration
}

func (c Costs) String() string {
	per := func(n int64, of int) int64 { return n / int64(max(of, 1)) }
	return fmt.Sprintf("%d model calls, %d kB of prompts, %.1f s; %d looks, %d kB of trees, %.1f s, %d ms and %d calls to the accessibility tree each; %d calls in all, other commands %.1f s",
		c.Calls, c.Prompts>>10, c.Model.Seconds(), c.Looks, c.Trees>>10, c.Looking.Seconds(), per(c.Looking.Milliseconds(), c.Looks), per(c.Tree, c.Looks), c.AllTree, c.Acting.Seconds())
}

type costs struct {
	mu       sync.Mutex
	sum      Costs
	pictures int
	tree     func() int64 // calls to the accessibility tree so far
}

// Costs returns what was spent so far.
func (s *Stage) Costs() Costs {
	s.costs.mu.Lock()
	defer s.costs.mu.Unlock()
	sum := s.costs.sum
	sum.AllTree = s.costs.tree()
	sum.ByTool = map[string]Cost{}
	maps.Copy(sum.ByTool, s.costs.sum.ByTool)
	return sum
}

// counted counts the calls of a model.
func (c *costs) counted(model llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		bytes := 0
		for _, m := range req.Messages {
			for _, p := range m.Parts {
				bytes += len(p.Text)
			}
		}
		began := time.Now()
		resp, err := model.Complete(ctx, req)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sum.Calls++
		c.sum.Prompts += bytes
		c.sum.Model += time.Since(began)
		return resp, err
	})
}

// Watch returns a context under which commands are counted, and pictures kept.
func (s *Stage) Watch(ctx context.Context) context.Context {
	return desktop.WithInterceptor(ctx, func(d desktop.Desktop) desktop.Desktop { return &watched{d, s} })
}

type watched struct {
	desktop.Desktop
	stage *Stage
}

func (w *watched) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	c := &w.stage.costs
	before, began := c.tree(), time.Now()
	res, err := w.Desktop.Execute(ctx, cmd)
	took, calls := time.Since(began), c.tree()-before
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sum.ByTool == nil {
		c.sum.ByTool = map[string]Cost{}
	}
	tool := c.sum.ByTool[cmd.ToolName]
	c.sum.ByTool[cmd.ToolName] = Cost{tool.Calls + 1, tool.Time + took}
	if cmd.ToolName == desktop.GetUITree {
		c.sum.Looks++
		c.sum.Looking += took
		c.sum.Tree += calls
		for _, part := range res.Content {
			c.sum.Trees += len(part.JSON)
		}
	} else {
		c.sum.Acting += took
	}
	if err == nil {
		err = w.stage.keep(&res)
	}
	return res, err
}

// keep writes pictures into the folder for them.
func (s *Stage) keep(res *desktop.Result) error {
	if s.cfg.Pictures == "" {
		return nil
	}
	for _, part := range res.Content {
		if part.Image == nil {
			continue
		}
		s.costs.pictures++
		_, kind, _ := strings.Cut(part.Image.MediaType, "/")
		name := filepath.Join(s.cfg.Pictures, fmt.Sprintf("%03d.%s", s.costs.pictures, kind))
		if err := os.WriteFile(name, part.Image.Data, 0o600); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
	}
	return nil
}
