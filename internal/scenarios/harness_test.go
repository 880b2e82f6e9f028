package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// stage is what most scenarios need: a desktop with Word and Excel, a scripted
// model and a host on them, and the positions that a round takes.
type stage struct {
	t       *testing.T
	Word    *desktoptest.App
	Excel   *desktoptest.App
	Desktop *desktoptest.Desktop
	Model   *llmtest.Model
	Config  hostagent.Config
	Options round.Options
	Host    *hostagent.Agent // made by run, or by host
	Steps   []round.Step
}

// onStage sets the stage. Change its Config and Options before run.
func onStage(t *testing.T, replies ...any) *stage {
	s := &stage{
		t:     t,
		Word:  &desktoptest.App{Root: "word", Process: "report", Title: "report.docx - Word", Running: true},
		Excel: &desktoptest.App{Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true},
	}
	s.Desktop = desktoptest.New(t, s.Word, s.Excel)
	s.Model = llmtest.Script(t, replies...)
	s.Config = hostagent.Config{Config: appagent.Config{Model: s.Model, Desktop: s.Desktop}}
	return s
}

// host makes the host, once.
func (s *stage) host() *hostagent.Agent {
	s.t.Helper()
	if s.Host == nil {
		s.Host = must(hostagent.New(s.Config))
	}
	return s.Host
}

// alone is an AppAgent in the window of Word, with all that a host would give it.
func (s *stage) alone() fsm.Worker {
	s.t.Helper()
	window, ok := s.Word.Window()
	require.True(s.t, ok)
	cfg := s.Config.Config
	cfg.Window = window
	return must(appagent.New(cfg))
}

// observed are the options of a round that records its steps.
func (s *stage) observed() *round.Options {
	options := s.Options
	options.Observe = func(step round.Step) {
		s.Steps = append(s.Steps, step)
		if s.Options.Observe != nil {
			s.Options.Observe(step)
		}
	}
	return &options
}

// drive returns a round of any worker.
func (s *stage) drive(w fsm.Worker, request string) *round.Round {
	s.t.Helper()
	return must(round.New(w, request, s.observed()))
}

// session returns a session of the host.
func (s *stage) session() *round.Session {
	s.t.Helper()
	return must(round.NewSession(s.host(), s.observed()))
}

// run runs one round of the host.
func (s *stage) run(request string) (round.Result, error) {
	s.t.Helper()
	return s.drive(s.host(), request).Run(s.t.Context())
}

// positions are where the recorded steps stood and went, the start included.
func (s *stage) positions() []string {
	var list []string
	for i, step := range s.Steps {
		if i == 0 {
			list = append(list, step.Agent+":"+string(step.From))
		}
		list = append(list, step.NextAgent+":"+string(step.To))
	}
	return list
}

// prompt decodes a section of the i-th request that the model got.
func prompt[T any](s *stage, i int, name string) T {
	s.t.Helper()
	return llmtest.Section[T](s.t, s.Model.Requests()[i], name)
}

// assign, finish, status and call are the replies that most scripts consist of.
func assign(label, subtask string) any {
	return map[string]any{"Status": "ASSIGN", "ControlLabel": label, "CurrentSubTask": subtask}
}

func finish(result any) any { return map[string]any{"Status": "FINISH", "Result": result} }

// leaving is a FINISH that says of each of these that it was done in another way.
func leaving(result any, open ...string) any {
	said := map[string]string{}
	for _, id := range open {
		said[id] = "done: otherwise"
	}
	return map[string]any{"Status": "FINISH", "Result": result, "Open": said}
}

func status(s fsm.Status) any { return map[string]any{"Status": s} }

// call is a decision with one tool.
func call(s fsm.Status, function string, args map[string]any) any {
	return map[string]any{"Status": s, "Function": function, "Args": args}
}
