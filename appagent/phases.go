package appagent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// turn is what one step knows.
type turn struct {
	builtin.View
	desktop     desktop.Desktop
	window      *desktop.Window   // that commands act on; nil: not seen
	dialogs     []desktop.Window  // that it owns, a modal one first
	inDialog    []desktop.Control // the dialog whose controls these are, where they are that one's alone
	controls    []desktop.Control
	since       []desktop.Control // those behind an action; nil: they were not read again
	decided     bool
	decision    decision
	intent                      // what it comes to
	shown       *builtin.Kept   // what the prompt shows in part
	kept        builtin.Proving // with what this step wrote and said
	performance acting.Performance
	lost        error // an act found the window closed
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
	approval, err := a.redeem(ctx)
	switch {
	case err != nil:
	case approval != nil: // of an act after the approved one
		a.Decide(fsm.Confirm, fsm.BySystem, approval.Reason)
	default:
		err = a.pipeline.Process(ctx, &turn{})
	}
	if gone(ctx, err) {
		a.data.Work.WindowGone()
		if p, ok := errors.AsType[*builtin.PhaseError](err); ok {
			err = p.Err
		}
		a.Decide(fsm.Fail, fsm.BySystem, err.Error())
		err = nil
	}
	if err == nil {
		a.data.Seen = nil
	}
	return err
}

// seen is what SCREENSHOT saw, for the CONTINUE behind it. It is part of the agent's data: a
// CONTINUE that is handled again in another process sees the same.
type seen struct {
	Window     *desktop.Window   `json:"window,omitempty"`
	Dialogs    []desktop.Window  `json:"dialogs,omitempty"`
	Controls   []desktop.Control `json:"controls"`
	Screenshot *desktop.Image    `json:"screenshot,omitempty"`
	Unseen     []string          `json:"unseen,omitempty"`
}

// observe is SCREENSHOT: the next CONTINUE sees what it saw. A window that is gone is that
// CONTINUE's affair.
func (a *Agent) observe(ctx context.Context) error {
	a.data.Seen, a.seenIn = nil, trace.Run(ctx)
	t := &turn{}
	err := a.pipeline.Run(ctx, builtin.DataCollection, t)
	if err != nil && !gone(ctx, err) {
		return err
	}
	if err == nil {
		a.data.Seen = &seen{t.window, t.dialogs, t.controls, t.Screenshot, t.Unseen}
	}
	reason := "observed"
	if t.Screenshot == nil {
		reason = "SCREENSHOT took no screenshot"
		if a.cfg.NoImages {
			reason = "you get no screenshots: choose CONTINUE, not SCREENSHOT"
		}
		a.data.LastError = reason
	}
	a.Decide(fsm.Continue, fsm.BySystem, reason)
	return nil
}

// collect looks at the window. What cannot be seen is said in the prompt; only
// without a list of tools there is nothing that the agent could do.
func (a *Agent) collect(ctx context.Context, t *turn) error {
	d, err := a.desktop(ctx)
	if err != nil {
		return err
	}
	t.desktop = d
	if err := t.Open(ctx, d, &a.tools); err != nil {
		return err
	}
	if s := a.data.Seen; s != nil && !trace.LooksAnew(ctx, a.seenIn) {
		t.window, t.dialogs, t.controls, t.Screenshot, t.Unseen = s.Window, s.Dialogs, s.Controls, s.Screenshot, s.Unseen
		return nil
	}
	a.data.Seen = nil
	if err := a.identify(ctx, t); err != nil {
		return err
	}
	if !a.cfg.NoImages {
		err = t.Look(ctx, "screenshot", desktop.CaptureWindowScreenshot, func() (err error) {
			t.Screenshot, err = desktop.Screenshot(ctx, d, desktop.CaptureWindowScreenshot)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := a.readControls(ctx, t); err != nil {
		return err
	}
	if t.Gone != nil {
		return a.windowGone()
	}
	return nil
}

func (a *Agent) readControls(ctx context.Context, t *turn) error {
	return t.Look(ctx, "controls", desktop.GetUITree, func() (err error) {
		t.controls, err = desktop.UITree(ctx, t.desktop)
		if t.controls != nil && err != nil { // all but some of them
			t.Unseen, err = append(t.Unseen, "some controls cannot be used: "+err.Error()), nil
		}
		return err
	})
}

func (a *Agent) desktop(ctx context.Context) (desktop.Desktop, error) {
	if a.scoped == nil {
		d := a.cfg.Desktop
		if a.cfg.Window.ID != "" {
			var err error
			if d, err = desktop.Scope(ctx, d, a.cfg.Window.ID); err != nil {
				return nil, err
			}
		}
		a.scoped = d
	}
	return a.scoped, nil
}

func (a *Agent) decide(ctx context.Context, t *turn) error {
	if err := a.data.Knowledge.Learn(ctx, a.cfg.Knowledge, fsm.Task{ID: a.data.Task.ID, Text: a.data.Task.Text, Message: a.data.Task.Message, Context: a.data.Task.Context}, &t.View); err != nil {
		return err
	}
	t.shown = &builtin.MemoOf(ctx, a).Kept
	allowed := deciding.Allowed(a)
	offered := a.offered(t, allowed)
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
			for _, action := range d.Actions {
				t.shown.Announce(ctx, t.Box, a.cfg.Board, action.Function, action.Args)
			}
		},
		Arrange: builtin.Arranged(ctx, func(d *decision) ([]llm.Repair, error) {
			if err := a.bounded(d); err != nil {
				return nil, err
			}
			return d.arrange(t.Box)
		}),
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
	} else if inquiry.Schema, err = builtin.ReplySchema[decision](t.shown, t.Box, offered, a.replyForm(t)); err != nil {
		return err
	}
	t.decision, err = deciding.Ask(ctx, inquiry)
	a.data.Keep(&t.kept) // also of a step that failed: the round may end with it
	if err != nil {
		return err
	}
	t.intent, t.decided = in, true
	return nil
}

// replyForm leaves out of a reply what is about things that the agent does not see.
func (a *Agent) replyForm(t *turn) builtin.ReplyForm {
	_, controls := t.Box.Tool(desktop.GetUITree)
	_, pictures := t.Box.Tool(desktop.CaptureWindowScreenshot)
	return builtin.ReplyForm{NoControls: !controls, NoScreenshot: !pictures || a.cfg.NoImages}
}

// offered are the statuses that can work now. SCREENSHOT takes a picture, where the
// desktop can.
func (a *Agent) offered(t *turn, allowed []fsm.Status) []fsm.Status {
	if _, ok := t.Box.Tool(desktop.CaptureWindowScreenshot); ok && !a.cfg.NoImages {
		return builtin.Offered(allowed, a.cfg.User)
	}
	return builtin.Offered(allowed, a.cfg.User, fsm.Screenshot)
}

// remember notes what was decided and done, also of a step that failed half
// way: what was executed must be in the next prompt.
func (a *Agent) remember(_ context.Context, t *turn) error {
	if !t.decided {
		return nil
	}
	a.data.Steps++
	d := t.summary()
	whole, err := json.Marshal(d)
	if err != nil {
		return err
	}
	decision := whole
	if len(d.Plan)+len(d.Questions) > 0 { // prompts have them in sections of their own
		d.Plan, d.Questions = nil, nil
		if decision, err = json.Marshal(d); err != nil {
			return err
		}
	}
	memo := acting.Memo{Task: a.data.Task.ID, Decision: decision, Place: a.place}
	if err := a.data.Memory.Record(a.cfg.Board, memo, t.performance.Acted); err != nil {
		return err
	}
	cut := a.data.Memory.Recent(1) // its long texts
	if len(whole) != len(decision) {
		var memory acting.Memory
		memory.Add(acting.Memo{Decision: whole})
		cut = memory.Recent(1)
	}
	record, err := trajectory(cut[0].Decision, t.performance.Acted)
	if err != nil {
		return err
	}
	if err := builtin.NotFull(a.note(record)); err != nil {
		return err
	}
	err = a.saveScreenshot(t)
	if err != nil && a.data.LastError == "" {
		a.data.LastError = "the screenshot was not kept: " + err.Error()
	}
	return builtin.NotFull(err)
}

// trajectory returns a step for the blackboard, where other agents read it: the decision, and as one more member the
// acts that were executed. The model may claim an act that was refused.
func trajectory(decision json.RawMessage, acted []acting.Acted) (json.RawMessage, error) {
	if len(acted) == 0 {
		return decision, nil
	}
	list := make([]deed, len(acted))
	for i := range acted {
		act := &acted[i]
		list[i] = deed{act.Command.ToolName, act.Result.Status, clip.Text(act.Result.Error, promptsize.ActError)}
	}
	done, err := plainjson.Encode(list)
	if err != nil {
		return nil, err
	}
	return slices.Concat(bytes.TrimSuffix(decision, []byte("}")), []byte(`,"Done":`), done, []byte("}")), nil
}

// note adds a step, or what it saved, to those on the blackboard, which has as many of the last ones as an agent
// remembers itself.
func (a *Agent) note(record json.RawMessage) error {
	return a.cfg.Board.Inside().AppendLast(boarddata.Trajectories, record, promptsize.Memory)
}

type deed struct {
	Tool   string         `json:"tool"`
	Status desktop.Status `json:"status"`
	Error  string         `json:"error,omitempty"`
}

// summary is a decision without what the memory has elsewhere.
func (t *turn) summary() decision {
	d := t.decision
	d.Result = t.wish.Result
	d.Function, d.Args, d.Actions, d.SaveScreenshot = "", nil, nil, nil
	if len(d.Result) > acting.MaxOutput {
		d.Result = nil
	}
	return d
}

func (a *Agent) saveScreenshot(t *turn) error {
	wanted, reason := t.decision.wantsScreenshot()
	if !wanted || t.Screenshot == nil {
		return nil
	}
	ref, err := a.cfg.Board.PutBlob(t.Screenshot.MediaType, t.Screenshot.Data)
	if err != nil {
		return err
	}
	note, err := json.Marshal(map[string]any{"agent": a.cfg.Name, "screenshot": ref, "reason": reason})
	if err != nil {
		return err
	}
	return a.note(note)
}
