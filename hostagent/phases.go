package hostagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// turn is what one step knows.
type turn struct {
	builtin.View
	windows     []desktop.Window // all of them, dialogs included
	targets     []target
	focus       desktop.Window // that commands act on; zero: not seen
	partial     bool           // windows were left out
	decided     bool
	decision    decision
	intent                      // what it comes to
	shown       *builtin.Kept   // what the prompt shows in part
	kept        builtin.Proving // with what this step wrote and said
	performance acting.Performance
	launched    desktop.Window // the last one that came up
}

// intent is what a decision comes to.
type intent struct {
	plan    plan.Plan  // as the decision leaves it
	chosen  *target    // of an ASSIGN, by choose
	guessed bool       // by a name that it does not quite have
	item    plan.Entry // likewise, where the plan binds
	acts    []acting.Act
	wish    acting.Wish
	rest    error // what a FINISH leaves open that answered some of it
}

func (a *Agent) phases() *builtin.Pipeline[*turn] {
	return builtin.NewPipeline(
		builtin.Strategy[*turn]{Phase: builtin.DataCollection, Run: a.collect},
		builtin.Strategy[*turn]{Phase: builtin.LLMInteraction, Run: a.decide},
		builtin.Strategy[*turn]{Phase: builtin.ActionExecution, Run: a.act},
		builtin.Strategy[*turn]{Phase: builtin.MemoryUpdate, Run: a.remember, Always: true},
	)
}

// process is CONTINUE.
func (a *Agent) process(ctx context.Context) error {
	if err := a.closeSubtask(ctx); err != nil {
		return err
	}
	approval, err := a.redeem(ctx)
	switch {
	case err != nil:
		return err
	case approval != nil: // of an act after the approved one
		a.Decide(fsm.Confirm, fsm.BySystem, approval.Reason)
		return nil
	}
	return a.pipeline.Process(ctx, &turn{})
}

// collect looks at the desktop. Without a screenshot it goes on; without a list
// of windows there is nobody to give work to.
func (a *Agent) collect(ctx context.Context, t *turn) error {
	if err := t.Open(ctx, a.cfg.Desktop, &a.tools); err != nil {
		return err
	}
	if !a.cfg.NoImages {
		err := t.Look(ctx, "screenshot", desktop.CaptureDesktopScreenshot, func() (err error) {
			t.Screenshot, err = desktop.Screenshot(ctx, a.cfg.Desktop, desktop.CaptureDesktopScreenshot)
			return err
		})
		if err != nil {
			return err
		}
	}
	return a.collectWindows(ctx, t)
}

var errNoWindows = errors.New("hostagent: the desktop gives no window list (tool get_desktop_app_info; desktop.Screen makes one)")

func (a *Agent) collectWindows(ctx context.Context, t *turn) error {
	if _, ok := t.Box.Tool(desktop.GetDesktopAppInfo); !ok {
		return errNoWindows
	}
	windows, err := desktop.Windows(ctx, a.cfg.Desktop)
	switch {
	case windows == nil:
		return fmt.Errorf("%w: %w", errNoWindows, err)
	case err != nil:
		t.partial = true
		t.Unseen = append(t.Unseen, "some windows: "+err.Error())
	}
	if err == nil {
		if err := a.dropGone(ctx, windows); err != nil {
			t.Unseen = append(t.Unseen, err.Error())
		}
	}
	t.windows, t.targets = windows, targets(windows)
	if err := t.findFocus(ctx, a.cfg.Desktop, windows); err != nil {
		return err
	}
	if _, ok := t.Box.Tool(desktop.LaunchApplication); ok {
		t.targets = withPrograms(t.targets, a.cfg.Apps)
	}
	return nil
}

// findFocus finds the window on which commands act that name none, with the dialog in
// front of it and the control that has the focus: the desktop is asked, where it can be.
// Else the list may say which window has the focus. Nothing has it sometimes: that is
// not worth a word in the prompt.
func (t *turn) findFocus(ctx context.Context, d desktop.Desktop, windows []desktop.Window) error {
	if i := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.Focused }); i >= 0 {
		t.focus = windows[i]
	}
	if _, ok := t.Box.Tool(desktop.GetAppWindow); !ok {
		return nil
	}
	w, _, err := desktop.AppWindow(ctx, d)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && (t.focus == (desktop.Window{}) || t.focus.ID == w.ID):
		t.focus = w
	}
	return nil
}

func (a *Agent) decide(ctx context.Context, t *turn) error {
	if err := a.data.Knowledge.Learn(ctx, a.cfg.Knowledge, fsm.Task{Text: a.data.Request}, &t.View); err != nil {
		return err
	}
	t.shown = &builtin.MemoOf(ctx, a).Kept
	allowed := deciding.Allowed(a)
	offered, err := a.offered(t, allowed)
	if err != nil {
		return err
	}
	messages, err := a.messages(t, offered)
	if err != nil {
		return err
	}
	t.kept = a.data.Kept()
	var in intent // of the last decision that was looked at
	inquiry := deciding.Inquiry[decision]{
		Model: a.model, Messages: messages, Allowed: allowed, Offered: offered,
		Seen: func(ctx context.Context, d decision) {
			t.shown.Announce(ctx, t.Box, a.cfg.Board, d.Function, d.Args)
			for _, c := range d.Actions { // of a reply that could not be arranged
				t.shown.Announce(ctx, t.Box, a.cfg.Board, c.Function, c.Args)
			}
		},
		Arrange: builtin.Arranged(ctx, func(d *decision) ([]llm.Repair, error) { return d.arrange(t.Box) }),
		Check: builtin.Doubting(
			func(d decision) (err error) { in, err = a.examine(t, &d); return err },
			func(decision) error { return a.data.Bare(in.wish, in.rest != nil || len(in.acts) > 0) },
		),
		MaxReasks: a.cfg.MaxReasks, MaxTokens: a.cfg.MaxTokens, Temperature: a.cfg.Temperature,
	}
	if calls := a.tools.Calls; calls != nil {
		inquiry.Tools = t.shown.Tools(calls, t.Box, offered)
		inquiry.Called = func(text string, list []llm.Call) (string, error) {
			t.shown.AnnounceCalls(ctx, t.Box, a.cfg.Board, list)
			return calls.Called(t.Box, text, list)
		}
	} else if inquiry.Schema, err = builtin.ReplySchema[decision](t.shown, t.Box, offered, builtin.ReplyForm{TextPlans: !a.cfg.GraphPlans}); err != nil {
		return err
	}
	t.decision, err = deciding.Ask(ctx, inquiry)
	a.data.Keep(&t.kept) // also of a step that failed: the round may end with it
	if err != nil {
		return err
	}
	if sink := trace.From(ctx); in.guessed && sink.Timed() {
		sink.Repaired([]llm.Repair{{Kind: repair.Window, Where: "ControlText", Count: 1}})
	}
	t.intent, t.decided = in, true
	return nil
}

// examine says what a decision comes to, or what is wrong with it. It changes only t.kept.
func (a *Agent) examine(t *turn, d *decision) (in intent, err error) {
	if err = d.check(t.Box); err == nil {
		in, err = a.intend(t, d)
	}
	if err != nil && d.Plan != nil && in.rest == nil {
		// Else a model that mends only the rest believes that its plan holds.
		err = fmt.Errorf("%w. Your Plan was not kept: write one again", err)
	}
	return in, err
}

// intend plans what a decision wants: the acts, with references resolved, and for an ASSIGN
// the application.
func (a *Agent) intend(t *turn, d *decision) (intent, error) {
	in := intent{wish: d.wish()}
	var err error
	if in.plan, err = a.replan(d); err != nil {
		return intent{}, err
	}
	if d.Status == Assign {
		if in.chosen, in.guessed, err = t.choose(d); err != nil {
			return intent{}, err
		}
		if in.item, err = in.chosen.pick(in.plan, d); err != nil {
			return intent{}, err
		}
		if d.Plan == nil { // the model does not say again what is left
			in.plan = in.plan.Without(d.CurrentSubTask)
		}
	}
	if in.acts, err = a.acts(t, d, in.chosen); err != nil {
		return intent{}, err
	}
	if d.Status == fsm.Finish && len(d.Result) > 0 {
		if in.wish.Result, err = t.shown.ResolveJSON(a.cfg.Board, d.Result); err != nil {
			return intent{}, err
		}
	}
	// A reply that only leaves something open was read all the same: else what it plans and says
	// would be gone.
	t.kept.Write(d.Status == fsm.Finish, in.plan.Notes()...)
	if d.Status == fsm.Finish {
		heard, err := t.kept.Hear(a.open(t.kept.Notes, in.plan), d.Open)
		if in.rest = err; err != nil {
			in.acts = nil
		}
		if heard == 0 {
			return in, err
		}
	}
	return in, nil
}

// offered are the statuses that can work now: CONTINUE is for the host's own tools, and
// ASSIGN for an application.
func (a *Agent) offered(t *turn, allowed []fsm.Status) ([]fsm.Status, error) {
	offer, err := t.shown.Offer(t.Box, true)
	if err != nil {
		return nil, err
	}
	var idle []fsm.Status
	if !offer.Some {
		idle = append(idle, fsm.Continue)
	}
	if len(t.targets) == 0 {
		idle = append(idle, Assign)
	}
	return builtin.Offered(allowed, a.cfg.User, idle...), nil
}

// remember notes what was decided and done, also of a step that failed half way.
func (a *Agent) remember(_ context.Context, t *turn) error {
	if !t.decided {
		return nil
	}
	a.data.Steps++
	d := t.decision
	d.Function, d.Args, d.Bash = "", nil, "" // the memory has them as actions
	d.Result = t.wish.Result
	if len(d.Result) > acting.MaxOutput {
		d.Result = nil
	}
	decision, err := json.Marshal(d)
	if err != nil {
		return err
	}
	said := decision
	if len(d.Plan)+len(d.Questions) > 0 { // prompts have them in sections of their own
		d.Plan, d.Questions = nil, nil
		if said, err = json.Marshal(d); err != nil {
			return err
		}
	}
	leaveWindowsOut(t.performance.Acted)
	if err := a.data.Memory.Record(a.cfg.Board, acting.Memo{Decision: said}, t.performance.Acted); err != nil {
		return err
	}
	return a.cfg.Board.PutRaw(boarddata.HostLastStep, decision)
}

// leaveWindowsOut leaves out the windows that acts brought to the front or opened: the section
// windows has them, and the Target their names.
func leaveWindowsOut(acted []acting.Acted) {
	for i := range acted {
		tool, result := acted[i].Command.ToolName, &acted[i].Result
		if (tool == desktop.SelectApplicationWindow || tool == desktop.LaunchApplication) && result.Status == desktop.Success {
			result.Content = nil
			if tool == desktop.SelectApplicationWindow { // by the desktop's id, which is not that of the section
				acted[i].Command.Parameters = nil
			}
		}
	}
}
