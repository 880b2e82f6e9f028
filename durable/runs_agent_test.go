package durable_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// stage is the world of a run in testdata/runs: what its agent does, and how the plug-ins behave.
type stage struct {
	*play
	script [][]string // by step
	model  string     // how it behaves; "": it answers
	person string     // likewise; "": the answer comes from elsewhere
	tools  []desktop.Tool
	does   map[string]string // how they behave; "": they succeed
	cancel func()
	quiet  bool // a replay: nothing may be called
	asked  int  // questions
	task   string
	inner  *mortal           // of another run
	refs   map[string]string // of pictures on the blackboard
}

// handle does what the script says of the agent's step.
func (s *stage) handle(ctx context.Context, c *clerk) (to fsm.Status, err error) {
	notes := slices.Clone(c.Notes)
	defer func() {
		if err != nil {
			c.Notes = notes
		}
	}()
	for _, op := range s.script[min(c.N, len(s.script)-1)] {
		if to, err = s.do(ctx, c, op); to != "" || err != nil {
			return to, err
		}
	}
	if c.N++; c.N < len(s.script) {
		return fsm.Continue, nil
	}
	return fsm.Finish, nil
}

// do is one thing that an agent does.
func (s *stage) do(ctx context.Context, c *clerk, op string) (to fsm.Status, err error) {
	for i, note := range c.Notes {
		op = strings.ReplaceAll(op, fmt.Sprint("$", i+1), note)
	}
	op = strings.ReplaceAll(op, "$task", s.task)
	verb, rest, _ := strings.Cut(strings.ReplaceAll(op, "LONG", long), " ")
	name, args, _ := strings.Cut(rest, " ")
	note := func(format string, args ...any) { c.Notes = append(c.Notes, fmt.Sprintf(format, args...)) }
	switch verb {
	case "try":
		if to, err = s.do(ctx, c, rest); err != nil {
			note("error %v", err)
		}
		return to, nil
	case "all":
		var errs []error
		for one := range strings.SplitSeq(rest, " & ") {
			did, err := s.do(ctx, c, one)
			to, errs = cmp.Or(to, did), append(errs, err)
		}
		return to, errors.Join(errs...)
	case "detached":
		return s.do(context.WithoutCancel(ctx), c, rest)
	case "fail":
		return fsm.Fail, nil
	case "note":
		note("%s", rest)
	case "reach":
		if s.person == "is away" {
			return "", errAway
		}
	case "wait":
		d, err := time.ParseDuration(rest)
		require.NoError(s.t, err)
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	case "ask", "persist":
		model := llm.Model(s)
		if verb == "persist" {
			model = llm.Retry(s, &llm.RetryOptions{OnRetry: func(_ int, wait time.Duration, _ error) {
				if wait > 0 {
					s.called("waits %s", wait)
				}
			}})
		}
		resp, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: rest}}}}})
		if err != nil {
			return "", err
		}
		if rest != "" {
			note("%s", resp.Text)
		}
	case "look", "do", "insist":
		cmd := desktop.Command{ToolName: name, Parameters: parameters(s.play, args), Looks: verb == "look"}
		result, err := desktop.Execute(ctx, s, cmd)
		if err != nil {
			return "", err
		}
		for _, content := range result.Content {
			if content.Image != nil {
				note("sees picture %.3s of %d bytes", content.Image.Data, len(content.Image.Data))
			}
		}
		if result.Status == desktop.Failure {
			note("told: %s", result.Error)
			if verb == "insist" {
				return fsm.Continue, nil
			}
		}
	case "effect", "safe":
		value, err := s.effect(ctx, name, verb == "safe")
		if err != nil {
			return "", err
		}
		note("%s", value)
	case "until":
		d, err := time.ParseDuration(args)
		require.NoError(s.t, err)
		return "", effects.WaitUntil(ctx, name, time.Now().Add(d))
	case "inner": // a round of its own, without a journal
		return "", s.round(ctx, rest)
	case "verdict":
		v := policies.AskUncertain()(ctx, desktop.Tool{Name: name}, desktop.Command{ToolName: name, Parameters: parameters(s.play, args)})
		note("%s may be executed: %t %s", name, v.Action == policies.Allow, v.Reason)
	case "fresh": // a look, where what was seen is from another process
		if trace.Stale(ctx) {
			return s.do(ctx, c, "look get_ui_tree")
		}
	case "another":
		return "", s.another(ctx, rest)
	case "put":
		s.put(c.board, rest)
	case "delete":
		c.board.DeleteBlob(s.refs[rest])
	case "see":
		_, data, _ := c.board.Blob(s.refs[rest])
		note("sees %d bytes, as they were: %t", len(data), bytes.Equal(data, picture(rest)))
	case "doubts":
		for _, cmd := range trace.Uncertain(ctx) {
			note("doubts %s", cmd.ToolName)
		}
	case "list":
		if rest != "" {
			s.tools = toolsOf(rest)
		}
		box, err := desktop.Open(ctx, s, nil)
		if err != nil {
			return "", err
		}
		for _, tool := range box.Tools() {
			note("sees %s", strings.TrimSpace(tool.Name+" "+tool.Description))
		}
	case "announce":
		box, err := desktop.Open(ctx, s, nil)
		if err != nil {
			return "", err
		}
		acting.Announce(ctx, box, desktop.Command{ToolName: name, Parameters: parameters(s.play, args)})
	case "question":
		s.asked++
		q := people.Question{ID: strings.ReplaceAll(name, "#", fmt.Sprint(s.asked)), Agent: "clerk", Text: args}
		if text, ok := strings.CutPrefix(args, "everywhere "); ok {
			q.Agent, q.Text, q.Title, q.Target, q.Reason, q.Comment = text, text, text, text, text, text
		}
		answer, err := people.Ask(ctx, s, q, 0)
		if err != nil {
			return "", err
		}
		note("%s", answer.Text)
	case "interview":
		actor := &acting.Actor{User: s, Agent: "clerk", NewID: func() string { s.asked++; return fmt.Sprint("q", s.asked) }}
		var w acting.Work
		if _, _, err := w.Perform(ctx, actor, nil, acting.Wish{To: fsm.Pending, Questions: strings.Split(rest, "|")}); err != nil {
			return "", err
		}
		if _, err := w.Pending(ctx, actor, ""); err != nil {
			return "", err
		}
		for _, e := range w.Answers {
			note("%s", e.Answer)
		}
	case "approve":
		tool, args, _ := strings.Cut(args, " ")
		return s.approve(ctx, c, name, tool, parameters(s.play, args))
	default:
		require.Fail(s.t, "an agent does nothing of this kind", op)
	}
	return "", nil
}

// effect does something in Go.
func (s *stage) effect(ctx context.Context, key string, safe bool) (string, error) {
	var opts []effects.Option
	if safe {
		opts = append(opts, effects.Idempotent())
	}
	return effects.Do(ctx, key, func(ctx context.Context) (string, error) {
		s.called("effect %s", key)
		switch s.does[key] {
		case "panics":
			panic("bang")
		case "breaks":
			return "", errBang
		case "is late":
			return "", context.DeadlineExceeded
		case "is cancelled":
			s.cancel()
			return "", ctx.Err()
		case "succeeds as the run is cancelled":
			s.cancel()
		case "is not ready":
			return "", fmt.Errorf("%s is not ready: %w", key, fsm.ErrSuspend)
		case "drives another run":
			return "", s.another(ctx, "")
		case "is large":
			return large, nil
		case "asks a model":
			return key + " was done", s.within(ctx)
		case "has an effect":
			return s.effect(ctx, "part", false)
		}
		return key + " was done", nil
	}, opts...)
}

// round has another agent do each op in a step of its own.
func (s *stage) round(ctx context.Context, ops string) error {
	var list []string
	if ops != "" {
		list = strings.Split(ops, "; ")
	}
	r, err := round.New(newClerk(func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if _, err := s.do(ctx, c, list[c.N]); err != nil {
			return "", err
		}
		if c.N++; c.N < len(list) {
			return fsm.Continue, nil
		}
		return fsm.Finish, nil
	}), "go", nil)
	require.NoError(s.t, err)
	_, err = r.Run(ctx)
	return err
}

func picture(name string) []byte { return bytes.Repeat([]byte(name+"\xff\x00"), 1000) }

// put puts a picture on a blackboard.
func (s *stage) put(board *blackboard.Board, name string) {
	ref, err := board.PutBlob("image/png", picture(name))
	require.NoError(s.t, err)
	s.refs[name] = ref
}

// another goes on with another run, whose store has no room the first time, or whose agent executes a command.
func (s *stage) another(ctx context.Context, tool string) error {
	if s.inner == nil {
		s.inner = &mortal{Store: store.Memory()}
		if tool == "" {
			s.inner.full = 2
		}
	}
	run, err := durable.Open(ctx, newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		if tool == "" {
			return fsm.Finish, nil
		}
		_, err := desktop.Execute(ctx, s, desktop.Command{ToolName: tool})
		return fsm.Finish, err
	}), s.inner, "inner", nil)
	if err == nil {
		_, err = run.Continue(ctx, "go")
	}
	return err
}

var errNoRoom = errors.New("no room")

// approve has a person asked whether a command may be executed. A no is a FAIL.
func (s *stage) approve(ctx context.Context, c *clerk, id, tool string, params map[string]any) (fsm.Status, error) {
	act := acting.Act{Command: desktop.Command{ToolName: tool, Parameters: params}}
	origin, _ := params["origin"].(string)
	reason, _ := params["reason"].(string)
	act.Title, _ = params["title"].(string)
	act.Target, act.Command.Origin = reason, origin
	for _, extra := range []string{"origin", "reason", "title"} {
		delete(act.Command.Parameters, extra)
	}
	ap := acting.NewApproval(id, act, reason)
	if s.tools != nil {
		box, err := desktop.Open(ctx, s, nil)
		if err != nil {
			return "", err
		}
		acting.Announce(ctx, box, act.Command)
		ap.Shown = box.Mask(act.Command)
	}
	d, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: s, Agent: "clerk", Timeout: time.Minute}, reason)
	if err == nil && d.To != fsm.Continue {
		c.Notes = append(c.Notes, "refused "+id)
		return fsm.Fail, nil
	}
	if err == nil {
		c.Notes = append(c.Notes, "approved "+id)
	}
	return "", err
}

func parameters(p *play, args string) (params map[string]any) {
	if args == "" {
		return nil
	}
	if args == "large" {
		return map[string]any{"text": large}
	}
	d := json.NewDecoder(strings.NewReader(args))
	d.UseNumber()
	require.NoError(p.t, d.Decode(&params), args)
	for name, v := range params {
		if f, ok := v.(json.Number); ok {
			n, err := f.Int64() // as a program has it
			require.NoError(p.t, err)
			params[name] = n
		}
	}
	return params
}

// toolsOf reads a list of tools: names with what they say of themselves.
func toolsOf(text string) (tools []desktop.Tool) {
	for one := range strings.SplitSeq(text, "; ") {
		name, says, _ := strings.Cut(one, " ")
		tool := desktop.Tool{Name: name}
		switch says {
		case "reads":
			tool.Annotations.ReadOnlyHint = true
		case "destroys":
			tool.Annotations.DestructiveHint = true
		case "is idempotent":
			tool.Annotations.IdempotentHint = true
		case "with a schema":
			tool.InputSchema = []byte(`{"type":"object"}`)
		case "with secrets":
			tool.InputSchema = []byte(`{"type":"object","properties":{"password":{"type":"string","format":"password"},` +
				`"pin":{"type":"integer","writeOnly":true},"for":{"type":"string"}}}`)
		default:
			tool.Description = strings.ReplaceAll(says, "LONG", long)
		}
		tools = append(tools, tool)
	}
	return tools
}

// called notes that a plug-in was called.
func (s *stage) called(format string, args ...any) {
	assert.False(s.t, s.quiet, "a replay calls nothing: "+format, args)
	s.note(format, args...)
}

type closedLimiter struct{}

func (closedLimiter) WaitN(context.Context, int) error { return errBang }

var large, long = strings.Repeat("x", 50_000), strings.Repeat("hunter2 ", 1000)

func (s *stage) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	q := req.Messages[0].Parts[0].Text
	s.called("%s", strings.TrimSpace("model is asked "+q))
	resp := &llm.Response{Text: "answer to " + q, Model: "m", Usage: llm.Usage{InputTokens: 10}}
	switch s.model {
	case "panics":
		panic("bang")
	case "says nothing":
		return nil, nil
	case "is limited":
		return nil, &llm.CallError{Kind: llm.ErrRateLimited, Status: 429, Model: "m", RetryAfter: time.Second, Message: "too much"}
	case "is held back":
		return llm.Limit(s, closedLimiter{}).Complete(ctx, req)
	case "is rejected":
		return nil, llm.ErrRejected
	case "breaks":
		return nil, errBang
	case "asks another model":
		return resp, s.within(ctx)
	case "drives another run":
		return resp, s.another(ctx, "")
	case "is cancelled":
		s.cancel()
		return resp, ctx.Err()
	case "has a cache":
		resp.Usage.CacheReadTokens, resp.Usage.CacheCreationTokens = 6, 3
	case "says much":
		resp.Text = large
	case "says some":
		resp.Text = large[:25_000]
	}
	return resp, nil
}

// within asks another model, with the context that a plug-in was given.
func (s *stage) within(ctx context.Context) error {
	_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		s.called("another model is asked")
		return &llm.Response{Text: "x"}, nil
	}), &llm.Request{})
	return err
}

func (s *stage) Tools(context.Context) ([]desktop.Tool, error) {
	assert.False(s.t, s.quiet, "a replay lists no tools")
	return s.tools, nil
}

func (s *stage) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	args := ""
	if raw, err := json.Marshal(cmd.Parameters); err == nil && len(cmd.Parameters) > 0 && len(raw) < 1000 {
		args = " " + string(raw)
	}
	s.called("%s %s%s", map[bool]string{true: "looks at", false: "does"}[cmd.Looks], cmd.ToolName, args)
	result := desktop.Result{Status: desktop.Success, CallID: cmd.CallID}
	switch s.does[cmd.ToolName] {
	case "panics":
		panic("bang")
	case "breaks":
		return desktop.Result{}, errBang
	case "drives another run":
		return result, s.another(ctx, "")
	case "is late":
		return desktop.Result{}, context.DeadlineExceeded
	case "is cancelled":
		s.cancel()
		return desktop.Result{}, ctx.Err()
	case "succeeds as the run is cancelled":
		s.cancel()
	case "is large":
		result.Content = []desktop.Content{{Text: large}}
	case "is a picture", "is another picture":
		data := []byte(map[bool]string{true: "one", false: "two"}[s.does[cmd.ToolName] == "is a picture"] + large)
		result.Content = []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: data}}}
	case "asks a model":
		return result, s.within(ctx)
	}
	return result, nil
}

func (s *stage) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if state, err := durable.Look(context.WithoutCancel(ctx), s.store.Store, s.run); err == nil {
		s.waits(state)
	}
	s.called("person is asked %s: %s", q.ID, q.Text)
	switch s.person {
	case "", "is asked under another context":
		return people.Later().Ask(ctx, q)
	case "knows q1 only":
		if q.ID != "q1" {
			return people.Later().Ask(ctx, q)
		}
	case "panics":
		panic("bang")
	case "drives another run":
		return people.Answer{Text: "x"}, s.another(ctx, "")
	case "does pay":
		_, err := desktop.Execute(ctx, s, desktop.Command{ToolName: "pay"})
		return people.Answer{Text: "paid"}, errors.Join(err, s.within(ctx))
	case "says yes too late":
		<-ctx.Done()
	case "says yes as the run is cancelled":
		s.cancel()
	}
	return people.Answer{Text: s.person, Approved: strings.Contains(s.person, "yes")}, nil
}
