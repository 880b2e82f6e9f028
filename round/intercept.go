package round

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// withMeter returns ctx with a meter that sees every call of the agents.
func withMeter(ctx context.Context, m *meter) context.Context {
	ctx = effect.WithRound(trace.With(ctx, m), m.name)
	ctx = effect.With(ctx, func(inner effect.Doer) effect.Doer { return meteredEffects{m, inner} })
	ctx = llm.WithInterceptor(ctx, func(inner llm.Model) llm.Model { return meteredModel{m, inner} })
	ctx = desktop.WithInterceptor(ctx, func(inner desktop.Desktop) desktop.Desktop { return meteredDesktop{m, inner} })
	return people.WithInterceptor(ctx, func(inner people.User) people.User { return meteredUser{m, inner} })
}

type meteredModel struct {
	m     *meter
	inner llm.Model
}

func (w meteredModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := w.m.checkCall(ctx); err != nil {
		return nil, attempts.Over(err)
	}
	timed := llm.Timeout(w.inner, w.m.options.Load().filled.CallTimeout)
	if counts, ok := timed.(interface{ WithoutWaits() llm.Model }); ok {
		timed = counts.WithoutWaits()
	}
	resp, err := timed.Complete(ctx, req)
	w.m.disturb(ctx, err)
	if attempts.NothingSent(err) {
		w.m.unsent()
	}
	w.m.bill(resp, false)
	return resp, err
}

type meteredDesktop struct {
	m     *meter
	inner desktop.Desktop
}

func (w meteredDesktop) Tools(ctx context.Context) ([]desktop.Tool, error) {
	tools, err := w.inner.Tools(ctx)
	w.m.disturb(ctx, err)
	return tools, err
}

func (w meteredDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if ctx.Err() != nil {
		w.m.disturb(ctx, ctx.Err())
		return desktop.Result{}, context.Cause(ctx)
	}
	if err := w.m.tripped(); err != nil {
		return desktop.Result{}, err
	}
	var start time.Time
	if w.m.Timed() {
		start = time.Now()
	}
	result, err := w.inner.Execute(ctx, cmd)
	w.m.disturb(ctx, err)
	w.m.executed(cmd, result, err, start, err != nil && ctx.Err() != nil)
	return result, err
}

func (m *meter) executed(cmd desktop.Command, result desktop.Result, err error, start time.Time, cut bool) {
	what := deedOf(cmd, result, err)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if !cut || !what.looks { // a look that the end of its context broke off saw nothing
		m.repeats.add(what)
	}
	m.attempt.sent = m.attempt.sent || !what.looks
	if !m.watched {
		return
	}
	c := Command{Command: m.secrets.mask(cmd), Result: withoutImages(result), Duration: time.Since(start)}
	if err != nil {
		c.Err = err.Error()
	}
	m.commands = append(m.commands, c)
}

// withoutImages copies a result and says of each image only what it is.
func withoutImages(r desktop.Result) desktop.Result {
	content := make([]desktop.Content, len(r.Content))
	for i, c := range r.Content {
		if c.Image != nil {
			c = desktop.Content{Text: fmt.Sprintf("[%s, %d bytes]", c.Image.MediaType, len(c.Image.Data))}
		}
		c.JSON = append(json.RawMessage(nil), c.JSON...)
		content[i] = c
	}
	r.Content = content
	return r
}

type meteredUser struct {
	m     *meter
	inner people.User
}

func (w meteredUser) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if err := w.m.tripped(); err != nil {
		return people.Answer{}, err
	}
	asked := q.Clone() // before the call: the user may change what it was given
	show := toShow{Question: asked, show: trace.ShowOf[people.Question](ctx)}
	answer, err := w.inner.Ask(trace.WithWords(ctx, func() people.Question { return w.m.words(show) }), q)
	w.m.disturb(ctx, err)
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	suspended := ctx.Err() == nil && suspends(err)
	if !suspended && !w.m.watched {
		return answer, err
	}
	w.m.used.Store(true)
	if asked.Command != nil {
		masked := w.m.secrets.mask(*asked.Command)
		asked.Command = &masked
	}
	question := toShow{Question: asked, show: show.show}
	if suspended {
		w.m.waits = append(w.m.waits, question)
	}
	if !w.m.watched {
		return answer, err
	}
	record := askedFor{toShow: question, answer: answer}
	if err != nil {
		record.err = err.Error()
	}
	w.m.asks = append(w.m.asks, record)
	return answer, err
}

// What the packages that do a step report of it: the methods of trace.Sink and trace.Hider.

// Timed reports whether somebody reads steps.
func (m *meter) Timed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.watched
}

// Phase records a phase that ran.
func (m *meter) Phase(name string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.phases = append(m.phases, Phase{Name: name, Duration: took})
}

// Decision records a decision that passed its checks.
func (m *meter) Decision(v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.now.decision = v
}

// Repaired records what was repaired in a reply.
func (m *meter) Repaired(repairs []llm.Repair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if !m.watched {
		return
	}
	m.repairs = append(m.repairs, repairs...)
}

// Refused records what was wrong with a reply.
func (m *meter) Refused(problem error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.watched {
		m.refused = append(m.refused, textOf(problem))
	}
}

// Verdict records a policy's word.
func (m *meter) Verdict(v trace.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.verdicts = append(m.verdicts, Verdict(v))
}

// Secrets makes values known that must be shown nowhere.
func (s *scrubber) Secrets(masked desktop.Command, original desktop.Command, values []string) {
	s.secrets.add(masked, original, values)
}

// Hide is the method of trace.Hider: what the tools' schemas mark as secret is gone.
// Options.Redact is for records; a person who decides sees what it takes out of them.
func (s *scrubber) Hide(text string) string { return s.secrets.scrub(text) }
