package durable_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var update = flag.Bool("update", false, "write anew what happens in testdata/runs")

// Each plays the runs of its topic, such as testdata/runs/replies.txt. See the README there.

func TestRuns_Answers(t *testing.T)  { playRuns(t) }
func TestRuns_Boards(t *testing.T)   { playRuns(t) }
func TestRuns_Bounds(t *testing.T)   { playRuns(t) }
func TestRuns_Closed(t *testing.T)   { playRuns(t) }
func TestRuns_Commands(t *testing.T) { playRuns(t) }
func TestRuns_Doubts(t *testing.T)   { playRuns(t) }
func TestRuns_Driven(t *testing.T)   { playRuns(t) }
func TestRuns_Effects(t *testing.T)  { playRuns(t) }
func TestRuns_Forks(t *testing.T)    { playRuns(t) }
func TestRuns_Others(t *testing.T)   { playRuns(t) }
func TestRuns_Outages(t *testing.T)  { playRuns(t) }
func TestRuns_Owed(t *testing.T)     { playRuns(t) }
func TestRuns_Polls(t *testing.T)    { playRuns(t) }
func TestRuns_Pictures(t *testing.T) { playRuns(t) }
func TestRuns_Replays(t *testing.T)  { playRuns(t) }
func TestRuns_Replies(t *testing.T)  { playRuns(t) }
func TestRuns_Requests(t *testing.T) { playRuns(t) }
func TestRuns_Rides(t *testing.T)    { playRuns(t) }
func TestRuns_Secrets(t *testing.T)  { playRuns(t) }
func TestRuns_Sizes(t *testing.T)    { playRuns(t) }
func TestRuns_Resumed(t *testing.T)  { playRuns(t) }
func TestRuns_Stages(t *testing.T)   { playRuns(t) }
func TestRuns_Waits(t *testing.T)    { playRuns(t) }
func TestRuns_Within(t *testing.T)   { playRuns(t) }

// runLine is a line at the left margin, KIND: TEXT, with what happened because of it.
type runLine struct {
	whole, kind, text string
	was, is           []string
}

// playRuns plays the runs of a text.
func playRuns(t *testing.T) {
	t.Helper()
	path := "testdata/runs/" + strings.ToLower(strings.TrimPrefix(t.Name(), "TestRuns_")) + ".txt"
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	title := "head"
	var titles []string
	runs := map[string][]*runLine{}
	for line := range strings.Lines(strings.ReplaceAll(string(raw), "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if name, begins := strings.CutPrefix(line, "== "); begins {
			require.NotContains(t, titles, name)
			title, titles = name, append(titles, name)
		}
		if happened, indented := strings.CutPrefix(line, "    "); indented {
			above := runs[title][len(runs[title])-1]
			above.was = append(above.was, happened)
			continue
		}
		l := &runLine{whole: line}
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "== ") {
			l.kind, l.text, _ = strings.Cut(line, ":")
			l.text = strings.TrimSpace(l.text)
		}
		runs[title] = append(runs[title], l)
	}
	played := 0
	for _, title := range titles {
		t.Run(title, func(t *testing.T) {
			played++
			synctest.Test(t, func(t *testing.T) { (&play{t: t, lines: runs[title]}).all() })
		})
	}
	if !*update || t.Failed() || played < len(titles) {
		return
	}
	var b strings.Builder
	for _, title := range append([]string{"head"}, titles...) {
		for _, l := range runs[title] {
			b.WriteString(l.whole + "\n")
			for _, happened := range l.is {
				b.WriteString("    " + happened + "\n")
			}
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
}

// A text that no test plays fails here.
func TestEveryRunIsPlayed(t *testing.T) {
	source, err := os.ReadFile("runs_test.go")
	require.NoError(t, err)
	paths, err := filepath.Glob("testdata/runs/*.txt")
	require.NoError(t, err)
	for _, path := range paths {
		topic := strings.TrimSuffix(filepath.Base(path), ".txt")
		assert.Contains(t, string(source), "func TestRuns_"+strings.ToUpper(topic[:1])+topic[1:]+"(")
	}
}

// play is a run of a text, and all that outlives its processes.
type play struct {
	t     *testing.T
	lines []*runLine
	at    *runLine
	stage stage

	store   *mortal
	run     string
	request string
	opts    round.Options
	seen    bytes.Buffer // all that somebody reads of the run, but for the person who is asked
	secrets []string
	session *round.Session
	hung    *round.Session // of a process that does nothing
	agent   *clerk
	first   *clerk // that has something before the run
	ended   bool   // the last process did not die
	lastSeq int64
	last    string // what was said last
}

func (p *play) all() {
	p.store, p.run, p.request = &mortal{Store: strict{store.Memory()}}, "run", "go"
	p.stage = stage{play: p, does: map[string]string{}, refs: map[string]string{}}
	for _, l := range p.lines {
		p.at = l
		if l.kind != "" {
			p.say(l.kind, l.text)
			p.last = l.kind
			p.sameByMark()
		}
	}
	if p.ended && p.session != nil && p.last != "replay" {
		p.replay()
	}
	for _, secret := range p.secrets {
		assert.NotContains(p.t, p.seen.String(), secret)
	}
	for _, l := range p.lines {
		if !*update {
			assert.Equal(p.t, l.was, l.is, "%s (go test -update writes it anew; read what changes)", l.whole)
		}
	}
}

// sameByMark compares what the mark of the run says, and what is behind it, with what its whole journal says.
func (p *play) sameByMark() {
	whole, failed := durable.Look(p.t.Context(), p.store.Store, p.run)
	state, err := durable.Look(p.t.Context(), p.store, p.run)
	require.Equal(p.t, failed == nil, err == nil, "%v, and %v by the mark, after %s", failed, err, p.at.whole)
	was, err := json.Marshal(whole)
	require.NoError(p.t, err)
	is, err := json.Marshal(state)
	require.NoError(p.t, err)
	require.JSONEq(p.t, string(was), string(is), "after %s", p.at.whole)
}

var thisProcess = regexp.MustCompile(`process \d+ of \S+ since \S+`)

// note writes what happened below the line that is played.
func (p *play) note(format string, args ...any) {
	text := thisProcess.ReplaceAllString(fmt.Sprintf(format, args...), "this process")
	p.at.is = append(p.at.is, strings.TrimRight(strings.ReplaceAll(text, "\n", `\n`), " "))
}

func (p *play) say(kind, text string) {
	ctx := p.t.Context()
	who, what, _ := strings.Cut(text, " ")
	switch kind {
	case "agent":
		p.stage.script = nil
		for step := range strings.SplitSeq(text, " / ") {
			p.stage.script = append(p.stage.script, strings.Split(step, ", "))
		}
	case "model":
		p.stage.model = text
	case "person":
		p.stage.person = text
	case "tools":
		p.stage.tools = toolsOf(text)
	case "tool":
		p.stage.does[who] = what
	case "set":
		p.opts = round.Options{SuspendOn: p.opts.SuspendOn}
		require.NoError(p.t, json.Unmarshal([]byte(text), &p.opts))
	case "suspends on":
		p.opts.SuspendOn = map[string]func(error) bool{
			"outages": llm.Retryable, "anything": func(error) bool { return true }, "a panic": func(error) bool { panic("?") },
		}[text]
	case "largest record":
		most, err := strconv.Atoi(text)
		require.NoError(p.t, err)
		p.store.Store = bounded{p.store.Store, most}
	case "later":
		d, err := time.ParseDuration(text)
		require.NoError(p.t, err)
		time.Sleep(d)
	case "secrets":
		p.secrets = strings.Fields(text)
		p.seen.Reset()
	case "request":
		p.request = text
	case "run":
		p.run, p.lastSeq, p.session = text, 0, nil
	case "process":
		p.process(text, func(ctx context.Context, s *round.Session) (round.Result, error) { return s.Continue(ctx, p.request) })
	case "another round":
		p.process(text, func(ctx context.Context, s *round.Session) (round.Result, error) { return s.Run(ctx, p.request) })
	case "round 0", "round 1", "round 2":
		p.request = text
		p.process("", func(ctx context.Context, s *round.Session) (round.Result, error) {
			return s.ContinueRound(ctx, int(kind[len(kind)-1]-'0'), text)
		})
	case "opens":
		if p.open(text) && p.hung == nil {
			p.hung = p.session
		}
	case "wakes up":
		p.drive(text, func(ctx context.Context) (round.Result, error) { return p.hung.Round().Run(ctx) })
	case "alone": // without a journal
		r, err := round.New(p.newAgent(), p.request, p.options())
		require.NoError(p.t, err)
		res, err := r.Run(ctx)
		p.note("%s", outcomeOf(res, err))
	case "close":
		if err := p.session.Close(ctx); err != nil {
			p.note("%v", err)
		}
	case "put":
		if p.session == nil {
			p.first = newClerk(p.stage.handle)
			p.stage.put(p.first.board, text)
			return
		}
		p.stage.put(p.session.Board(), text)
	case "again":
		p.drive(text, func(ctx context.Context) (round.Result, error) { return p.session.Round().Run(ctx) })
	case "again, another round":
		p.drive(text, func(ctx context.Context) (round.Result, error) { return p.session.Run(ctx, p.request) })
	case "answer":
		given, err := durable.Answer(ctx, p.store, p.run, who, people.Answer{Text: what, Approved: what == "yes"})
		p.lastSeq += map[bool]int64{true: 1}[given]
		p.note("counts: %t%s", given, suffix(err))
	case "fork":
		as, change := who, durable.Change{}
		require.NoError(p.t, json.Unmarshal([]byte("{"+what+"}"), &change))
		if err := durable.Fork(ctx, p.store, p.run, p.store, as, change); err != nil {
			p.note("%v", err)
			return
		}
		p.say("run", as)
	case "start":
		opts := p.opts
		state, err := durable.Start(ctx, p.store.Store, p.run, text, &durable.StartOptions{Round: &opts, Meta: json.RawMessage(`{"of":"start"}`)})
		p.lastSeq = max(p.lastSeq, state.Seq)
		p.note("%s, %q, %s%s", state.Stage, state.Request, state.Meta, suffix(err))
	case "cancel":
		cancelled, err := durable.Cancel(ctx, p.store.Store, p.run, text)
		p.lastSeq += map[bool]int64{true: 1}[cancelled]
		p.note("counts: %t%s", cancelled, suffix(err))
	case "postpone":
		var until time.Time
		if who != "aside" {
			pause, err := time.ParseDuration(who)
			require.NoError(p.t, err)
			until = time.Now().Add(pause)
		}
		state, err := durable.Postpone(ctx, p.store.Store, p.run, what, until)
		p.lastSeq = max(p.lastSeq, state.Seq)
		p.note("%s%s", state.Stage, suffix(err))
	case "retry":
		var adjust func(*round.Options)
		if text != "" {
			adjust = func(o *round.Options) { require.NoError(p.t, json.Unmarshal([]byte(text), o)) }
		}
		state, err := durable.Retry(ctx, p.store.Store, p.run, adjust)
		p.lastSeq = max(p.lastSeq, state.Seq)
		p.note("%s%s", state.Stage, suffix(err))
	case "sleep":
		pause, err := time.ParseDuration(text)
		require.NoError(p.t, err)
		time.Sleep(pause)
	case "stage":
		p.showStage()
	case "page":
		p.page()
	case "used":
		res := p.session.Round().Result()
		p.note("%d steps, %d calls, %d tokens, %v", res.Steps, res.Calls, res.Usage.Total(), res.Cost)
		if read, written := res.Usage.CacheReadTokens, res.Usage.CacheCreationTokens; read != 0 || written != 0 {
			p.note("%d tokens from a cache, %d into it", read, written)
		}
	case "records":
		for r, err := range durable.Records(ctx, p.store, p.run) {
			require.NoError(p.t, err)
			p.note("step %d: %s", r.Step, r)
		}
	case "replay":
		p.replay()
	default:
		require.Fail(p.t, "nobody says this", p.at.whole)
	}
}

// outcomeOf says how a round ended, or why it did not begin.
func outcomeOf(res round.Result, err error) string {
	if res.Outcome == round.Unfinished && err != nil {
		return err.Error()
	}
	return cmp.Or(string(res.Outcome), "unfinished") + suffix(err)
}

func suffix(err error) string {
	if err == nil {
		return ""
	}
	return ", " + err.Error()
}

// options are those of the text, of calls that cost 2.
func (p *play) options() *round.Options {
	opts := p.opts
	opts.Price = func(string, llm.Usage) float64 { return 2 }
	opts.Redact = func(s string) string { return strings.ReplaceAll(s, "ACME", "[customer]") }
	opts.Observe = round.JSONL(&p.seen)
	return &opts
}

// newAgent makes the agent of another process.
func (p *play) newAgent() *clerk {
	c := cmp.Or(p.first, newClerk(p.stage.handle))
	p.first = nil
	c.begun = func(task fsm.Task) { c.N, p.stage.task = 0, task.Text }
	return c
}

// open opens the run in a new process.
func (p *play) open(how string) bool {
	p.store.start(0, false)
	p.agent = p.newAgent()
	s, err := durable.Open(p.t.Context(), p.agent, p.store, p.run, &durable.Options{Round: p.options(), TakeOver: how == "takes over"})
	if err != nil {
		p.note("%v", err)
		return false
	}
	p.session = s
	if r := s.Round(); r != nil {
		p.reads(r.Result(), r.Result().Err)
	}
	return true
}

// process opens the run in a new process, and goes on with it.
func (p *play) process(how string, run func(context.Context, *round.Session) (round.Result, error)) {
	if p.open(how) {
		p.drive(how, func(ctx context.Context) (round.Result, error) { return run(ctx, p.session) })
	}
}

// drive goes on with the session, and notes what came of it.
func (p *play) drive(how string, run func(context.Context) (round.Result, error)) {
	ctx, cancel := context.WithCancel(p.t.Context())
	defer cancel()
	p.stage.cancel = cancel
	var n int
	when := ""
	if _, err := fmt.Sscanf(how, "dies %s %d", &when, &n); err == nil {
		p.store.start(n, when == "after")
	} else if _, err := fmt.Sscanf(how, "has no room at %d", &n); err == nil {
		p.store.full, n = n, 0
	} else if how == "is cancelled" {
		cancel()
	}
	if p.stage.person == "is asked under another context" {
		ctx = people.WithInterceptor(ctx, func(inner people.User) people.User {
			return people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				return inner.Ask(context.Background(), q) //nolint:contextcheck // a context of its own
			})
		})
	}
	known, began := len(p.agent.Notes), time.Now()
	res, err := run(ctx)
	if took := time.Since(began); took > 0 {
		p.note("takes %s", took)
	}
	if p.at.kind != "wakes up" {
		hold, err := p.store.Drive(p.t.Context(), p.run, false)
		require.NoError(p.t, err, "nobody drives the run any more")
		require.NoError(p.t, hold.Release(p.t.Context()))
	}
	if p.ended = !p.store.dead(); !p.ended {
		require.ErrorIs(p.t, err, round.ErrLost)
		if state, err := durable.Look(p.t.Context(), p.store.Store, p.run); err == nil && state.Status != "" && when == "before" {
			assert.Equal(p.t, state.Status, res.Status, "where its record has it")
		}
		p.note("dies")
	} else {
		require.Zero(p.t, n, "it does not die")
		for outcome, sentinel := range map[round.Outcome]error{
			round.Failed: round.ErrFailed, round.Faulted: round.ErrFault, round.OverBudget: round.ErrBudget,
			round.Suspended: round.ErrSuspended, round.Cancelled: round.ErrCancelled, round.Lost: round.ErrLost,
		} {
			assert.Equal(p.t, res.Outcome == outcome, res.Outcome != "" && errors.Is(err, sentinel), "%v of %s", err, res.Outcome)
		}
		for _, what := range p.agent.Notes[min(known, len(p.agent.Notes)):] {
			p.note("knows %s", what)
		}
		p.reads(res, err)
		p.note("%s", outcomeOf(res, err))
	}
	var kinds []string
	for r, err := range durable.Records(p.t.Context(), p.store.Store, p.run) {
		require.NoError(p.t, err)
		if r.Seq > p.lastSeq {
			p.lastSeq = r.Seq
			kinds = append(kinds, r.Kind)
			if r.Kind == "drop" {
				p.note("drops: %s", r)
			}
		}
	}
	p.note("records: %s", strings.Join(kinds, ", "))
}

// reads keeps what somebody reads of the run.
func (p *play) reads(v any, err error) {
	raw, failed := json.Marshal(v)
	require.NoError(p.t, failed)
	p.seen.Write(raw)
	p.seen.WriteString(suffix(err) + "\n")
}

// showStage notes what is to happen next with the run.
func (p *play) showStage() {
	state, err := durable.Look(p.t.Context(), p.store.Store, p.run)
	if err != nil {
		p.note("%v", err)
		return
	}
	due := ""
	if !state.Due.IsZero() {
		due = fmt.Sprintf(", due in %s", time.Until(state.Due))
	}
	p.note("%s%s, ready: %t, tries: %d, %s %q", state.Stage, due, state.Ready(), state.Tries, cmp.Or(string(state.Outcome), "unfinished"), state.Reason)
}

// page is what a page shows of a run.
func (p *play) page() {
	state, err := durable.Look(p.t.Context(), p.store.Store, p.run)
	if err != nil {
		p.note("%v", err)
		return
	}
	p.note("round %d, %q, %s:%s, %s %q after %d transitions, ready: %t", state.Rounds, state.Request, state.Agent, state.Status,
		state.Outcome, state.Reason, state.Transitions, state.Ready())
	if state.Answer != "" {
		p.note("answer %q", state.Answer)
	}
	if state.ForkedFrom != "" {
		p.note("forked from %s", state.ForkedFrom)
	}
	if !state.Wakes.IsZero() {
		p.note("wakes in %s", time.Until(state.Wakes))
	}
	for _, q := range p.waits(state) {
		raw, err := json.Marshal(q)
		require.NoError(p.t, err)
		p.note("waits %s", raw)
	}
}

// waits are the questions of a run without their commands, which are as they were recorded.
func (p *play) waits(state durable.State) []people.Question {
	p.reads(nil, errors.New(state.Reason))
	for i := range state.Waits {
		state.Waits[i].Command = nil
		p.reads(state.Waits[i], nil)
	}
	return state.Waits
}

// replay does the run once more, which executes nothing, and ends with the same.
func (p *play) replay() {
	last := p.agent
	p.stage.quiet = true
	defer func() { p.stage.quiet = false }()
	again := p.newAgent()
	res, err := durable.Replay(p.t.Context(), again, p.store.Store, p.run, p.options())
	p.reads(res, err)
	if p.at.kind == "replay" {
		p.note("%s", outcomeOf(res, err))
		return
	}
	require.NoError(p.t, err, "its replay")
	assert.Equal(p.t, p.session.Round().Result().Outcome, res.Outcome)
	assert.Equal(p.t, p.session.Round().Result().Usage, res.Usage)
	assert.Equal(p.t, last.Notes, again.Notes)
}

// strict is a store that takes nothing under a context that has ended.
type strict struct{ store.Store }

func (s strict) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.Store.Append(ctx, run, after, records...)
}

// bounded is a store that takes no large record.
type bounded struct {
	store.Store
	most int
}

func (b bounded) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	for i, r := range records {
		if len(r) > b.most {
			return &store.SizeError{Index: i, Size: int64(len(r)), Max: int64(b.most)}
		}
	}
	return b.Store.Append(ctx, run, after, records...)
}

// readings is a store that counts how often a journal is read.
type readings struct {
	store.Store
	reads int
}

func (c *readings) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	c.reads++
	return c.Store.Read(ctx, run, from)
}

// Start reads a journal once, whether or not the run is there: each read waits for the disk while a client waits.
func TestStartReadsOnce(t *testing.T) {
	in := &readings{Store: store.Memory()}
	for i := range 2 {
		state, err := durable.Start(t.Context(), in, "order", "pay", nil)
		require.NoError(t, err)
		assert.Equal(t, i == 0, state.New)
		assert.Equal(t, durable.Ready, state.Stage)
		assert.Equal(t, i+1, in.reads)
	}
}
