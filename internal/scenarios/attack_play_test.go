package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// script makes the model and the person of the lines of a case. What happens
// "then" happens when whoever speaks next is asked.
func (w *attackWorld) script() {
	w.pending = map[int][]*line{}
	var events []*line
	var replies []any
	for i, l := range w.c.said {
		reply := ""
		switch l.kind {
		case "then":
			events = append(events, l)
			continue
		case "person":
			w.answers = append(w.answers, i)
		case "model":
			reply = attackText(l.text)
		case "assign":
			words, text := l.rest()
			reply = fmt.Sprintf(`{"Status": "ASSIGN", "ControlLabel": %q, "CurrentSubTask": %q}`, words[0], orElse(text, "do your part"))
		case "finish":
			reply = fmt.Sprintf(`{"Status": "FINISH", "Comment": %q}`, l.text)
		default:
			continue
		}
		w.pending[i], events = events, nil
		if reply != "" {
			replies = append(replies, func(req *llm.Request) (string, error) {
				w.refusal(req)
				w.events(i)
				return reply, nil
			})
		}
	}
	w.model = llmtest.Script(w.t, replies...)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (w *attackWorld) events(line int) {
	for _, e := range w.pending[line] {
		w.happen(e.text)
	}
	delete(w.pending, line)
}

// refusal notes that the last reply was fed back.
func (w *attackWorld) refusal(req *llm.Request) {
	last := &llm.Request{Messages: req.Messages[len(req.Messages)-1:]}
	if _, refused := llm.FindSection(last, "refused_reply"); !refused {
		return
	}
	if problem, ok := llm.FindSection(last, "last_error"); ok {
		w.note("feeds back %s", problem)
	}
}

// Ask is the person. Whoever has no line left never answers.
func (w *attackWorld) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	w.questions = append(w.questions, q)
	line, said := -1, "silent"
	if len(w.answers) > 0 {
		line, w.answers = w.answers[0], w.answers[1:]
		said = w.c.said[line].text
	}
	kind := "asks"
	if q.Command != nil {
		kind = "asks to approve"
	}
	w.note("%s %q: %s", kind, q.Text, said)
	w.events(line) //nolint:contextcheck // what others do does not end with the question
	verb, text, _ := strings.Cut(said, " ")
	switch verb {
	case "yes":
		if change, ok := strings.CutPrefix(text, "changing "); ok {
			words, value := splitRest(change)
			q.Command.Parameters[words[0]] = value
		}
		return people.Answer{Approved: true}, nil
	case "no":
		return people.Answer{Text: attackText(text)}, nil
	case "says":
		return people.Answer{Text: w.hostile(attackText(text))}, nil
	case "breaks":
		return people.Answer{Approved: true}, errors.New(attackText(text))
	case "silent":
		<-ctx.Done()
		return people.Answer{Approved: true}, ctx.Err()
	case "late":
		<-ctx.Done()
		return people.Answer{Approved: true}, nil
	}
	require.Fail(w.t, "what does the person do? "+said)
	return people.Answer{}, nil
}

func (w *attackWorld) note(format string, args ...any) {
	w.happened = append(w.happened, oneRow(fmt.Sprintf(format, args...)))
}

// oneRow keeps a text on its line of the file, and readable there.
func oneRow(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < ' ' || r > '~' && r != '…' && r != 'é' {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// play runs a round for each request.
func (w *attackWorld) play() {
	w.script()
	d := desktop.Desktop(w.whole)
	if w.c.has("unscoped") {
		d = struct{ desktop.Desktop }{w.whole}
	}
	cfg := hostagent.Config{
		Config: appagent.Config{
			Model: w.guard.model(w.model), Desktop: w.guard.desktop(w.joined(&beholder{d, w})), Policy: w.guard.policy(attackPolicy(w)),
			Board: w.board,
		},
		Apps: w.programs,
	}
	if !w.alone() {
		cfg.User = w.guard.user(people.UserFunc(w.Ask))
	}
	ids := 0
	cfg.NewID = func() string { ids++; return fmt.Sprintf("id-%d", ids) }
	host, err := hostagent.New(cfg)
	require.NoError(w.t, err)
	session, err := round.NewSession(host, &round.Options{Observe: observe.All(
		round.JSONL(&w.lines), observe.Slog(slog.New(slog.NewTextHandler(&w.logs, nil)), nil),
	)})
	require.NoError(w.t, err)
	for _, request := range w.c.all("user") {
		res, err := session.Run(w.t.Context(), attackText(request.text))
		for _, s := range res.Subtasks {
			w.note("%s of %s is %s%s", s.ID, s.App, s.Status, because(s.Reason))
		}
		w.note("ends as %s%s", res.Outcome, because(res.Answer))
		if err != nil {
			fmt.Fprintln(&w.logs, err)
			w.note("error %v", err)
		}
	}
}

// joined is the desktop with the servers beside it.
func (w *attackWorld) joined(d desktop.Desktop) desktop.Desktop {
	if len(w.servers) == 0 {
		return d
	}
	all := []desktop.Desktop{d}
	for _, s := range w.servers {
		all = append(all, s)
	}
	return desktop.Join(all...)
}

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// beholder writes down what is executed.
type beholder struct {
	desktop.Desktop
	w *attackWorld
}

func (d *beholder) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	res, err := d.Desktop.Execute(ctx, cmd)
	if cmd.Looks {
		return res, err
	}
	log := d.w.whole.Log()
	last := log[len(log)-1]
	d.w.note("does %s", last)
	last.Result, last.Err = desktop.Result{}, nil // what it said of itself is not what was done
	d.w.executed = append(d.w.executed, oneRow(last.String()))
	return res, err
}

func (d *beholder) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	inner, err := desktop.Scope(ctx, d.Desktop, id)
	if err != nil {
		return nil, err
	}
	return &beholder{inner, d.w}, nil
}

// alone reports whether there is no person at all.
func (w *attackWorld) alone() bool {
	people := w.c.all("person")
	return len(people) == 1 && people[0].text == "nobody"
}
