package scenarios_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

var update = flag.Bool("update", false, "write what happened into testdata/*.txt")

// conversation is a session as a text, testdata/*.txt, which testdata/README.md
// explains: what is said and what comes to pass at the left margin, and what happened
// indented below it. The test compares that; with -update it writes it.
type conversation struct {
	begun  map[string]begun // the last prompt of each agent
	found  proof.Finding    // what Verify says
	t      *testing.T
	s      *stage
	path   string
	lines  []*line
	attack bool     // a case of testdata/attacks
	calls  bool     // replies are calls of tools
	closed bool     // as a model writes them that is held to the closed schema, or to closed tools
	heard  int      // replies in the closed form
	left   []string // why others are not
	said   string   // the last reply, as JSON
	called []llm.Call
	chance *chance // that says all lines
	at     int     // the line that spoke last

	worker  fsm.Worker
	maker   func(*stage) fsm.Worker // makes the worker, in another process once more
	session *round.Session
	runs    store.Store // of a session that another process goes on with
	request string
	cancel  context.CancelCauseFunc
	until   <-chan struct{} // when the call of the model must end

	apps     map[string]*desktoptest.App // by their roots
	servers  map[string]*server
	joined   []desktop.Desktop           // the servers, behind the stage's desktop
	verdicts map[string]policies.Verdict // by the tool, "*" for all others
	guard    *guard
	shows    []*line  // to be filled in from the next prompt
	logged   int      // commands of the desktop's log that are noted
	steps    int      // of this round
	broke    error    // what must be found in the error of this Run
	ids      []string // of questions, which are id-1, id-2, … in the text

	asked     []people.Question
	done      []string     // the commands that were executed, without their results
	untrusted []string     // what anybody may have written
	records   bytes.Buffer // of the steps, as JSON
	logs      bytes.Buffer
}

// errModel is behind every "model fails", errPerson behind every "answer fails".
var (
	errModel  = errors.New("the model is out of order")
	errPerson = errors.New("the person is out of reach")
)

// conversations plays all files of a test's topic: 19_*.txt for TestScenario19_Conversations.
func conversations(t *testing.T) {
	t.Helper()
	topic, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(t.Name(), "Test"), "Scenario"), "_")
	topic = strings.ToLower(topic) + "_"
	paths, err := filepath.Glob(filepath.Join("testdata", topic+"*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		agents := agentsOf(t, name)
		for _, agent := range agents {
			title := strings.TrimPrefix(name, topic)
			if len(agents) > 1 {
				title += "/" + agent
			}
			t.Run(title, func(t *testing.T) { play(t, name, agent, nil) })
			t.Run(title+"/calls", func(t *testing.T) { playInCalls(t, name, agent, false) })
			t.Run(title+"/closed calls", func(t *testing.T) { playInCalls(t, name, agent, true) })
		}
	}
}

// agentsOf are the agents that a conversation says it is played with.
func agentsOf(t *testing.T, name string) []string {
	t.Helper()
	for _, l := range readConversation(t, name).lines {
		if l.kind == "play" {
			return strings.Fields(l.text)
		}
	}
	return []string{"session"}
}

// play plays a conversation in a bubble of its own, with one agent, which setup may make, and compares it.
func play(t *testing.T, name, agent string, setup func(*stage) fsm.Worker) *stage {
	t.Helper()
	return readConversation(t, name).with(t, agent, setup)
}

func (c *conversation) with(t *testing.T, agent string, setup func(*stage) fsm.Worker) *stage {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c.t = t
		c.prepare()
		c.maker = func(s *stage) fsm.Worker {
			var w fsm.Worker
			if setup != nil {
				w = setup(s)
			}
			switch {
			case w != nil:
				return w
			case agent == "app":
				return s.alone()
			}
			require.Contains(t, []string{"host", "session"}, agent, "who plays it?")
			return s.host()
		}
		c.play()
		c.compare()
	})
	return c.s
}

// play runs what the caller says, round by round.
func (c *conversation) play() {
	c.at = -1
	for {
		l := c.turn("user", "go on", "elsewhere")
		if l == nil {
			break
		}
		c.open(l.kind == "elsewhere")
		ctx, cancel := context.WithCancelCause(c.t.Context())
		c.cancel = cancel
		began := time.Now()
		var res round.Result
		var err error
		switch l.kind {
		case "user":
			c.request, c.steps = spoken(l.text), 0
			res, err = c.session.Run(ctx, c.request)
		case "go on":
			res, err = c.session.Round().Run(ctx)
		case "elsewhere":
			res, err = c.session.Continue(ctx, c.request)
		}
		c.end(res, err, time.Since(began))
		c.broke = nil
		cancel(nil)
	}
	assert.Empty(c.t, c.shows, "no prompt comes that could be shown")
	c.check()
}

// open makes the session at the first time, and in another process.
func (c *conversation) open(elsewhere bool) {
	if c.session != nil && !elsewhere {
		return
	}
	c.s.Host = nil
	config := c.s.Config
	c.guard.watch(&c.s.Config.Config, c.s.Config.Apps)
	c.worker = c.maker(c.s)
	c.s.Config = config
	options := c.s.Options
	logs := observe.Slog(slog.New(slog.NewTextHandler(&c.logs, nil)), nil)
	options.Observe = observe.All(round.JSONL(&c.records), logs, func(step round.Step) {
		c.s.Steps = append(c.s.Steps, step)
		c.step(step)
	})
	if c.runs == nil {
		session, err := round.NewSession(c.worker, &options)
		require.NoError(c.t, err)
		c.session = session
		return
	}
	session, err := durable.Open(c.t.Context(), c.worker, c.runs, "run", &durable.Options{Round: &options})
	require.NoError(c.t, err)
	c.session = session
}

// reply is the next call of the model.
func (c *conversation) reply(req *llm.Request) (string, error) {
	c.executed()
	c.refused(req)
	if c.chance != nil {
		c.chance.req = req
	}
	l := c.turn(replies...)
	if l == nil {
		return "", fmt.Errorf("%w: it is not its turn", errModel)
	}
	whole := c.readable(req)
	for _, show := range c.shows {
		for name := range strings.FieldsSeq(show.text) {
			shown := "(none)"
			if raw, ok := llm.FindSection(whole, name); ok {
				shown = oneLine(raw)
			} else if name == "statuses" {
				shown = fmt.Sprint(statusesOf(req))
			}
			show.out = append(show.out, name+" "+shown)
		}
	}
	c.shows = nil
	switch l.kind {
	case "model panics":
		c.bang()
	case "model after":
		select {
		case <-time.After(c.duration(l.arg)):
		case <-c.until:
			return "", context.Canceled
		}
	case "model fails":
		c.broke = errModel
		return "", fmt.Errorf("%w: %s", errModel, l.text)
	case "model status": // of a provider, and after which time to come back
		code, wait, _ := strings.Cut(l.arg, " ")
		status, err := strconv.Atoi(code)
		require.NoError(c.t, err, l.whole)
		return "", llm.StatusError(status, c.duration(cmp.Or(wait, "0s")), l.text)
	case "no reply":
		<-c.until
		return "", context.DeadlineExceeded
	case "assign":
		label, task, _ := strings.Cut(l.text, " ")
		return fmt.Sprintf(`{"Status": "ASSIGN", "ControlLabel": %q, "CurrentSubTask": %q}`, label, cmp.Or(task, "do your part")), nil
	case "finish":
		return finishing(req, l.text), nil
	}
	return spoken(l.text), nil
}

// finishing is the FINISH of a model that gives up what is open.
func finishing(req *llm.Request, comment string) string {
	open := map[string]string{}
	var subtasks []blackboard.Subtask
	raw, _ := llm.FindSection(req, "previous_subtasks")
	_ = json.Unmarshal(raw, &subtasks)
	for _, s := range subtasks {
		if s.Status != string(fsm.Finish) {
			open[s.ID] = "dropped"
		}
	}
	var notes []string
	if raw, ok := llm.FindSection(req, "plan"); ok && json.Unmarshal(raw, &notes) == nil {
		for i := range notes {
			open[fmt.Sprintf("plan_%d", i+1)] = "dropped"
		}
	}
	reply := fmt.Sprintf(`{"Status": "FINISH", "Comment": %q`, comment)
	if len(open) > 0 {
		raw, _ := json.Marshal(open)
		reply += fmt.Sprintf(`, "Open": %s`, raw)
	}
	return reply + "}"
}

// refused notes that the last reply was fed back.
func (c *conversation) refused(req *llm.Request) {
	last := c.readable(&llm.Request{Messages: req.Messages[len(req.Messages)-1:]})
	if strings.HasPrefix(last.Messages[0].Text(), "Your last reply was refused.") {
		problem, _ := llm.FindSection(last, "last_error")
		c.note("fed back: %s", problem)
	}
}

// turn gives the word to the next line that is said, which must be of one of these
// kinds, after what comes to pass before it. It is nil at the end, and when it is
// somebody else's turn.
func (c *conversation) turn(kinds ...string) *line {
	c.t.Helper()
	if c.chance != nil {
		return c.chance.line(c, kinds)
	}
	for i := c.at + 1; i < len(c.lines); i++ {
		l := c.lines[i]
		if l.played {
			continue
		}
		switch {
		case l.is(remarks...), l.is(expectations...):
		case l.is("given", "then", "after", "set", "look"):
			l.played = true
			c.happens(l)
		case l.kind == "show":
			l.played = true
			c.shows = append(c.shows, l)
		case l.is(kinds...):
			l.played = true
			c.at = i
			return l
		default:
			c.t.Errorf("%s:%d: it is the turn of %s, not of %q", c.path, i+1, strings.Join(kinds, " or "), l.whole)
			return nil
		}
	}
	if kinds[0] != "user" {
		c.t.Errorf("%s: nobody says what %s says", c.path, strings.Join(kinds, " or "))
	}
	return nil
}
