package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// The secrets of this file. An awkward one looks different inside JSON and
// inside quotes; a short one is not to be found by its length.
const (
	longSecret    = "correct horse battery staple"
	awkwardSecret = "p\"ss<w>\\ö&rd\n1"
	shortPIN      = "739"
	numericPIN    = "514"
	longNumber    = "20260131"
)

// forbidden finds the secrets in any of the forms in which they come.
var forbidden = map[string]*regexp.Regexp{
	"long":    regexp.MustCompile("correct horse"),
	"awkward": regexp.MustCompile(`p\\*"ss(<|\\+u003[cC])`),
	"short":   regexp.MustCompile(`\b` + shortPIN + `\b`),
	"number":  regexp.MustCompile(`\b` + numericPIN + `\b`),
	"nested":  regexp.MustCompile(longNumber),
}

const loginSchema = `{
	"type": "object", "required": ["user", "password"], "additionalProperties": false,
	"properties": {
		"user": {"type": "string"},
		"password": {"type": "string", "writeOnly": true},
		"awkward": {"type": "string", "format": "password"},
		"pin": {"type": "string", "writeOnly": true},
		"code": {"type": "integer", "writeOnly": true},
		"more": {"type": "array", "items": {"type": "object", "properties": {"number": {"type": "integer", "format": "password"}}}}
	}
}`

// login are arguments with every secret in them.
func login() map[string]any {
	return map[string]any{
		"user": "bob", "password": longSecret, "awkward": awkwardSecret, "pin": shortPIN,
		"code": json.Number(numericPIN), "more": []any{map[string]any{"number": json.Number(longNumber)}},
	}
}

// blurt is a text that has every secret in it, plain, quoted and as JSON.
func blurt(what string) string {
	quoted, err := json.Marshal(login())
	if err != nil {
		return err.Error()
	}
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(login()); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s: %s, %s, %q, (%s) %s. %s %s %s", what,
		longSecret, awkwardSecret, awkwardSecret, shortPIN, numericPIN, longNumber, quoted, plain.String())
}

// witness sees all that people may see of a run: the lines, the steps in every
// form, results, error texts, and what is logged.
type witness struct {
	t     *testing.T
	lines bytes.Buffer
	rest  bytes.Buffer
	steps int
}

//nolint:forbidigo // what is written to a logger is what a test looks for, and what it sets it sets back
func newWitness(t *testing.T) *witness {
	w := &witness{t: t}
	logger, flags := slog.Default(), log.Flags()
	t.Cleanup(func() {
		slog.SetDefault(logger)
		log.SetOutput(os.Stderr)
		log.SetFlags(flags)
	})
	slog.SetDefault(slog.New(slog.NewTextHandler(&w.rest, &slog.HandlerOptions{Level: slog.LevelDebug - 100})))
	log.SetOutput(&w.rest)
	return w
}

func (w *witness) observe(s round.Step) {
	// How long something took may look like any number.
	s.Started, s.Duration, s.Phases = time.Time{}, 0, nil
	for i := range s.Commands {
		s.Commands[i].Duration = 0
	}
	round.JSONL(&w.lines)(s)
	w.steps++
	raw, err := json.Marshal(s)
	require.NoError(w.t, err)
	fmt.Fprintf(&w.rest, "%s\n%v\n%+v\n%s\n%v\n", raw, s, s, s.Decision, s.Err)
	for _, c := range s.Commands {
		fmt.Fprintf(&w.rest, "%+v\n", c)
		for _, content := range c.Result.Content {
			fmt.Fprintf(&w.rest, "%s %s\n", content.Text, content.JSON)
		}
	}
	for _, a := range s.Asks {
		fmt.Fprintf(&w.rest, "%+v %+v\n", a, a.Command)
	}
}

func (w *witness) end(res round.Result, err error) {
	// The answer and the data of sub-tasks are what was asked for, and no record.
	res.Answer = ""
	for i := range res.Subtasks {
		res.Subtasks[i].Result = nil
	}
	raw, jsonErr := json.Marshal(res)
	require.NoError(w.t, jsonErr)
	fmt.Fprintf(&w.rest, "%s\n%s\n%v\n%+v\n", raw, res.Reason, err, err)
}

// clean asserts that the secrets are nowhere, and that what is no secret is.
func (w *witness) clean(hidden map[string]*regexp.Regexp) {
	w.t.Helper()
	for where, text := range map[string]string{"JSONL": w.lines.String(), "steps and errors": w.rest.String()} {
		for name, secret := range hidden {
			if at := secret.FindStringIndex(text); at != nil {
				w.t.Errorf("the %s secret is in %s: …%s…", name, where, text[max(0, at[0]-150):min(len(text), at[1]+80)])
			}
		}
	}
	assert.Equal(w.t, w.steps, strings.Count(w.lines.String(), "\n"), "one line for each step")
	for line := range strings.Lines(w.lines.String()) {
		assert.True(w.t, json.Valid([]byte(line)), line)
	}
}

// onSecrets opens a scene with login, a witness and a session.
func onSecrets(t *testing.T, open func(...any) *scene, tool desktoptest.Tool, replies ...any) (*scene, *witness) {
	t.Helper()
	s, w := open(replies...), newWitness(t)
	tool.Name, tool.Schema = "login", loginSchema
	s.Desktop.AddTools(tool)
	s.Options.Observe = w.observe
	return s, w
}

func TestScenario42_SecretParameterIsInNoRecord(t *testing.T) {
	says := func(status fsm.Status, function string) map[string]any {
		d := map[string]any{"Status": status, "Observation": blurt("it shows"), "Thought": blurt("I use"), "Comment": blurt("so"), "Plan": []string{blurt("then")}}
		if function != "" {
			d["Function"], d["Args"] = function, login()
		}
		return d
	}
	finished := map[string]any{"Status": "FINISH", "Comment": blurt("done with"), "Result": map[string]any{blurt("key"): []string{blurt("used")}}}
	sure := desktop.Annotations{DestructiveHint: true}
	for name, c := range map[string]struct {
		tool    desktoptest.Tool
		prepare func(*scene)
		replies []any
		kinds   string
	}{
		"in text that comes back":    {desktoptest.Tool{Returns: blurt("hello")}, nil, []any{says("CONTINUE", "login"), finished}, ""},
		"in JSON that comes back":    {desktoptest.Tool{Returns: map[string]any{blurt("k"): []any{login(), 739, blurt("v")}}}, nil, []any{says("CONTINUE", "login"), finished}, ""},
		"as the whole of what comes": {desktoptest.Tool{Returns: shortPIN}, nil, []any{says("CONTINUE", "login"), finished}, ""},
		"in a tool's error": {desktoptest.Tool{}, func(s *scene) {
			s.Desktop.Fail("login", blurt("wrong"))
		}, []any{says("FINISH", "login"), finished}, ""},
		"in the transport's error": {desktoptest.Tool{}, func(s *scene) {
			s.Desktop.Break("login", errors.New(blurt("broken pipe")))
		}, []any{says("CONTINUE", "login")}, ""},
		"in a panic": {desktoptest.Tool{}, func(s *scene) {
			s.Desktop.On("login", func(context.Context, desktoptest.Call) (any, error) { panic(blurt("oops")) })
		}, []any{says("CONTINUE", "login")}, ""},
		"in the reason for giving up":    {desktoptest.Tool{}, nil, []any{says("CONTINUE", "login"), says("FAIL", "")}, "app"},
		"in a question and its answer":   {desktoptest.Tool{}, func(s *scene) { s.answered(blurt("yes")) }, []any{says("CONTINUE", "login"), pending("", blurt("right?")), finished}, ""},
		"in an event that is waited for": {desktoptest.Tool{}, func(s *scene) { s.answered(errors.New(blurt("no line"))) }, []any{says("CONTINUE", "login"), says("PENDING", "")}, ""},
		"approved":                       {desktoptest.Tool{Annotations: sure}, func(s *scene) { s.answered(true) }, []any{says("CONTINUE", "login"), finished}, ""},
		"rejected": {desktoptest.Tool{Annotations: sure}, func(s *scene) {
			s.answered(func(context.Context, people.Question) (people.Answer, error) {
				return people.Answer{Text: blurt("never")}, nil
			})
		}, []any{says("CONFIRM", "login")}, ""},
		"asker failed": {desktoptest.Tool{Annotations: sure}, func(s *scene) {
			s.answered(errors.New(blurt("no line")))
		}, []any{says("CONFIRM", "login")}, ""},
		"whether to go on": {desktoptest.Tool{}, func(s *scene) { s.answered(false) }, []any{says("CONTINUE", "login"), says("CONFIRM", "")}, ""},
		"in a policy's reason": {desktoptest.Tool{}, func(s *scene) {
			s.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
				return policies.Verdict{Action: policies.Deny, Reason: blurt("not with")}
			}
		}, []any{says("CONTINUE", "login"), finished}, ""},
		"in a call that is not made": {desktoptest.Tool{}, nil, []any{says("FAIL", "login")}, "app"},
		"in a call behind one that failed": {desktoptest.Tool{}, func(s *scene) {
			s.Desktop.Fail("note", "no")
		}, []any{map[string]any{"Status": "CONTINUE", "Actions": []any{
			map[string]any{"Function": "note", "Args": map[string]any{"text": "x"}},
			map[string]any{"Function": "login", "Args": login()},
		}}, finished}, "app"},
		"in a call that was refused": {desktoptest.Tool{}, nil, []any{
			map[string]any{"Status": "CONTINUE", "Function": "login", "Args": func() map[string]any { a := login(); delete(a, "user"); return a }()},
			finished,
		}, ""},
		"in a list that was refused": {desktoptest.Tool{}, nil, []any{
			map[string]any{"Status": "CONTINUE", "Actions": []any{
				map[string]any{"Function": "note", "Args": map[string]any{"txet": "x"}},
				map[string]any{"Function": "login", "Args": login()},
			}}, finished,
		}, "app"},
		"in four that were refused": {desktoptest.Tool{}, nil, []any{
			call("CONTINUE", "login", map[string]any{"password": longSecret}),
			call("CONTINUE", "login", map[string]any{"password": []string{longSecret}}),
			longSecret,
			map[string]any{"Status": longSecret},
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			kinds := c.kinds
			if kinds == "" {
				kinds = "host app"
			}
			forKinds(t, kinds, func(t *testing.T, open func(...any) *scene) {
				s, w := onSecrets(t, open, c.tool, c.replies...)
				if c.prepare != nil {
					c.prepare(s)
				}
				session, err := round.NewSession(s.agent(), &s.Options)
				require.NoError(t, err)
				res, err := session.Run(t.Context(), "log in")
				w.end(res, err)
				w.clean(forbidden)
				for _, e := range s.Desktop.Calls("login") {
					assert.Equal(t, longSecret, e.Command.Parameters["password"], "the tool itself gets it")
				}
				for _, q := range s.Person.Asked {
					if q.Command != nil {
						assert.Equal(t, longSecret, q.Command.Parameters["password"], "who approves may see it")
						before, _, _ := strings.Cut(q.Text, "The agent says")
						for secret, is := range forbidden {
							assert.NotRegexp(t, is, before, "%s: the text of the question does not show it", secret)
						}
					}
				}
				if len(s.Desktop.Calls("login")) > 0 {
					assert.Contains(t, w.lines.String(), `"user":"bob"`, "what is no secret is there")
				}
			})
		})
	}
}

func TestScenario42_SecretsAreKnownForTheWholeSession(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s, w := onSecrets(t, open, desktoptest.Tool{},
			call("CONTINUE", "login", login()), finish("in"),
			map[string]any{"Status": "FINISH", "Comment": blurt("yesterday I used")},
		)
		session, err := round.NewSession(s.agent(), &s.Options)
		require.NoError(t, err)
		for _, request := range []string{"log in", "how?"} {
			res, err := session.Run(t.Context(), request)
			require.NoError(t, err)
			w.end(res, err)
		}
		w.clean(forbidden)
	})
}

// The sub-task of an AppAgent, and what the host makes of it. Like forBoth in a
// bubble: there a step takes no time, of which some digits would look like a PIN.
func TestScenario42_SecretsUnderAHost(t *testing.T) {
	synctest.Test(t, secretsUnderAHost)
}

func secretsUnderAHost(t *testing.T) {
	var replies []any
	for range 4 {
		replies = append(replies, assign("0", "log in"),
			call("CONTINUE", "login", login()), map[string]any{"Status": "FAIL", "Comment": blurt("refused")})
	}
	s, w := onStage(t, replies...), newWitness(t)
	s.Desktop.AddTools(desktoptest.Tool{Name: "login", Schema: loginSchema})
	s.Options.Observe = w.observe
	res, err := s.run("log in")
	require.ErrorIs(t, err, round.ErrFault)
	w.end(res, err)
	w.clean(forbidden)
}

// Whoever is asked reads the command without its secrets, and no secret in the words of
// the agent either.
func TestScenario42_APersonReadsNoSecret(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		act := map[string]any{"Status": "CONTINUE", "Function": "login", "Args": login(), "Comment": blurt("I use")}
		s, w := onSecrets(t, open, desktoptest.Tool{Annotations: desktop.Annotations{DestructiveHint: true}},
			act, pending("", blurt("right?"), "and this?"), confirm(blurt("I go on with")), finish("in"))
		var asked []people.Question
		yes := func(_ context.Context, q people.Question) (people.Answer, error) {
			asked = append(asked, q)
			return people.Answer{Text: "yes", Approved: true}, nil
		}
		s.answered(yes, yes, yes, yes)
		res, err := s.play()
		require.NoError(t, err)
		require.Len(t, asked, 4)
		for _, q := range asked {
			q.ID, q.Command = "", nil
			raw, err := json.Marshal(q)
			require.NoError(t, err)
			fmt.Fprintf(&w.rest, "%s\n%s\n%s\n%s\n", raw, q.Text, q.Reason, q.Comment)
		}
		assert.Contains(t, asked[0].Text, `"user":"bob"`)
		w.end(res, err)
		w.clean(forbidden)
	})
}

// A secret stands on the blackboard, and a reply that is refused has only a reference to
// it, in one of the ways in which references are written. The model has read it all the same.
func TestScenario42_SecretsThatAReplyRefersTo(t *testing.T) {
	ref := func(path string) map[string]any { return map[string]any{"$ref": path} }
	for name, args := range map[string]map[string]any{
		"refused for another parameter": {"password": ref("creds.password"), "other": 1},
		"beside one that leads nowhere": {"password": ref("creds.password"), "user": ref("nobody")},
		"inside of a list":              {"more": []any{map[string]any{"number": ref("creds.password")}}, "password": 1},
		"of another name":               {"Password": ref("creds.password"), "password": "x", "user": "bob"},
		"all of them":                   {"password": ref("creds"), "other": 1},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s, w := onSecrets(t, open, desktoptest.Tool{},
					map[string]any{"Status": "CONTINUE", "Function": "login", "Args": args},
					map[string]any{"Status": "FINISH", "Result": "done", "Comment": "I tried " + longSecret})
				s.Config.Board = blackboard.New(nil)
				require.NoError(t, s.Config.Board.PutRaw("creds", json.RawMessage(`{"password":"`+longSecret+`"}`)))
				res, err := s.play()
				require.NoError(t, err)
				assert.Empty(t, s.Desktop.Calls("login"))
				w.end(res, err)
				w.clean(map[string]*regexp.Regexp{"long": forbidden["long"]})
			})
		})
	}
}

const token = "token-4711"

var tokenOnly = map[string]*regexp.Regexp{"redacted": regexp.MustCompile(token)}

func TestScenario42_WhatRedactChangesIsInNoRecord(t *testing.T) {
	talk := func(status fsm.Status) map[string]any {
		return map[string]any{
			"Status": status, "Observation": token, "Thought": "use " + token, "Comment": "with " + token,
			"Plan": []string{token}, "Questions": []string{"is it " + token + "?"}, "Result": map[string]any{token: token},
		}
	}
	for name, c := range map[string]struct {
		replies []any
		answers []any
	}{
		"finished": {[]any{
			call("CONTINUE", "note", map[string]any{"text": token}), talk("CONTINUE"), talk("PENDING"),
			call("CONFIRM", "wipe", map[string]any{"what": token}), talk("CONFIRM"), talk("FINISH"),
		}, []any{"it is " + token, true, true}},
		"failed":      {[]any{talk("PENDING")}, []any{errors.New("no " + token)}},
		"rejected":    {[]any{talk("CONFIRM")}, []any{false}},
		"model fails": {[]any{errors.New("quota of " + token)}, nil},
		"no reply":    {[]any{token, token, token, map[string]any{"Status": token}}, nil},
		"no such app": {[]any{errors.New(token)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s, w := onSecrets(t, open, desktoptest.Tool{}, c.replies...)
				s.answered(c.answers...)
				s.Word.ChangeWindow(func(now *desktop.Window) { now.Title = token })
				s.Word.SetControls(desktop.Control{ID: token, Name: token, Value: token})
				s.Desktop.On("note", func(context.Context, desktoptest.Call) (any, error) {
					return map[string]any{token: token}, nil
				})
				s.Desktop.On("wipe", func(context.Context, desktoptest.Call) (any, error) { return nil, errors.New(token) })
				s.Options.Redact = func(text string) string { return strings.ReplaceAll(text, token, "[gone]") }
				res, err := s.drive(s.agent(), "use "+token).Run(t.Context())
				w.end(res, err)
				w.clean(tokenOnly)
				assert.Contains(t, w.lines.String(), "[gone]")
				assert.Contains(t, llmText(s), token, "the model is shown everything")
				assert.Equal(t, name == "finished", err == nil)
			})
		})
	}
}

// llmText is all that the model was asked.
func llmText(s *scene) string {
	raw, err := json.Marshal(s.Model.Requests())
	require.NoError(s.t, err)
	return string(raw)
}

// A document may be called what nobody should read.
func TestScenario42_NamesAreRedactedToo(t *testing.T) {
	s := onStage(t, assign("0", "go"), map[string]any{"Status": "FAIL", "Comment": "no"}, finish("done"),
		assign("0", "go"), errors.New("out of order"))
	w := newWitness(t)
	doc := &desktoptest.App{Root: "viewer", Process: token, Title: token, Running: true}
	s.Desktop = desktoptest.New(t, doc)
	s.Config.Desktop = s.Desktop
	s.Options.Observe = w.observe
	s.Options.Redact = func(text string) string { return strings.ReplaceAll(text, token, "[gone]") }
	session := s.host()
	for range 2 {
		res, err := s.drive(session, "go").Run(t.Context())
		res.Agent = ""
		w.end(res, err)
	}
	w.clean(tokenOnly)
	assert.Contains(t, w.lines.String(), "AppAgent/viewer/[gone]")
}

// Without a record nothing is logged either: the library is silent.
func TestScenario42_NothingIsLogged(t *testing.T) {
	w := newWitness(t)
	s := onStage(t, assign("0", "go"), call("CONTINUE", "run_shell", map[string]any{"bash_command": "x"}), finish("done"))
	_, err := s.run("go")
	require.NoError(t, err)
	assert.Empty(t, w.rest.String())
}
