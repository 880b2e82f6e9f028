package scenarios_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// liar is a model that is wrong on purpose. It says FINISH after a sub-task failed, after a window
// died, after an act that did nothing, and with an open plan. It answers for some of what is open,
// and for what nobody asked; it forgets its plan, and numbers it anew. It keeps its own account of
// what the Result has to say, from its replies and from what was done on the desktop.
type liar struct {
	*rand.Rand
	honest  bool // mostly
	objects bool // it plans in objects
	alone   bool // it is an AppAgent that works for nobody else
	parts   []string
	truth   map[string]bool // what of the request was really done

	calls, turns int
	accepted     func() // what the last reply changes, where it is not refused
	finish       bool   // the last reply is a FINISH
	closed       []blackboard.Subtask

	notes   []*note
	plan    map[string]string            // ids of the items that have not finished, by their tasks
	dropped map[string]string            // likewise
	next    string                       // the item of the last ASSIGN
	items   map[string]string            // as which sub-tasks were given
	given   map[string]bool              // the texts of sub-tasks
	task    string                       // the sub-task that is worked on
	doubts  map[string]map[string]string // what was said of acts in doubt, by sub-task and part
	said    map[string]string            // what was said of sub-tasks, notes and items
	told    map[string]string            // what each id was when it was asked about
	shifted []string                     // ids that were something else later
}

// note is a text of the plan.
type note struct {
	text string
	left bool // by a FINISH
}

var errPlug = errors.New("somebody pulled the plug")

func newLiar(seed uint64) *liar {
	l := &liar{
		Rand: rand.New(rand.NewPCG(seed, 15)), honest: seed%2 == 0, alone: seed%5 == 0, objects: seed%5 > 2,
		truth: map[string]bool{}, items: map[string]string{}, given: map[string]bool{},
		plan: map[string]string{}, dropped: map[string]string{},
		doubts: map[string]map[string]string{}, said: map[string]string{}, told: map[string]string{},
	}
	for i := range 1 + l.IntN(4) {
		l.parts = append(l.parts, fmt.Sprintf("part %d", i))
	}
	return l
}

// one in n.
func (l *liar) one(n int) bool { return l.IntN(n) == 0 }

// Complete plays the host and the agents of applications.
func (l *liar) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	if _, refused := llm.FindSection(newest(req), "refused_reply"); !refused && l.accepted != nil {
		l.accepted()
	}
	l.accepted, l.finish = nil, false
	var task struct{ ID, Text string }
	raw, isApp := llm.FindSection(req, "subtask")
	if isApp {
		if err := json.Unmarshal(raw, &task); err != nil {
			return nil, err
		}
	}
	l.begin(task.ID, task.Text)
	if l.calls++; l.calls > 600 {
		return nil, errors.New("it does not end")
	}
	if l.one(150) {
		return nil, errPlug
	}
	reply := map[string]any{}
	if isApp {
		l.app(req, reply, task.Text)
	} else {
		l.host(req, reply)
	}
	text, err := json.Marshal(reply)
	return &llm.Response{Text: string(text), Usage: used}, err
}

// begin notes who is asked. What was said before a sub-task was given counts no more.
func (l *liar) begin(id, text string) {
	l.task = id
	if l.doubts[id] == nil {
		l.doubts[id] = map[string]string{}
	}
	if _, known := l.items[id]; id != "" && !known {
		l.items[id], l.given[text] = l.next, true
		clear(l.said)
	}
}

func newest(req *llm.Request) *llm.Request {
	return &llm.Request{Messages: req.Messages[len(req.Messages)-1:]}
}

// open are the ids that a FINISH was refused for, with what each is.
func (l *liar) open(req *llm.Request) map[string]string {
	list := map[string]string{}
	raw, _ := llm.FindSection(newest(req), "last_error")
	var text string
	_ = json.Unmarshal(raw, &text)
	rest, ok := strings.CutPrefix(text, "FINISH is too early. Still open: ")
	if !ok {
		return list
	}
	rest, _, _ = strings.Cut(rest, ". Do each first")
	for part := range strings.SplitSeq(rest, "; ") {
		id, what, _ := strings.Cut(part, " (")
		list[id] = what[:strings.LastIndex(what, ")")] // " and 7 more" may follow
		key := l.task + " " + id
		if was, known := l.told[key]; known && was != list[id] {
			l.shifted = append(l.shifted, fmt.Sprintf("%s was %s, and is %s", key, was, list[id]))
		}
		l.told[key] = list[id]
	}
	return list
}

// answer says something of what is open, and notes what of that counts.
func (l *liar) answer(req *llm.Request) map[string]string {
	said, list := map[string]string{}, l.open(req)
	for _, id := range slices.Sorted(maps.Keys(list)) {
		word := []string{"done", "dropped"}[l.IntN(2)]
		switch l.IntN(12) {
		case 0, 1: // it overlooks one
			continue
		case 2:
			said[id] = "well, it is what it is"
			continue
		}
		said[id] = word + ": so it is"
		switch {
		case strings.HasPrefix(id, "act_"):
			l.doubts[l.task][partIn(list[id])] = word
		case strings.HasPrefix(id, "plan_"):
			l.said[list[id]] = word
		default:
			l.said[id] = word
		}
	}
	ids := map[string]int{}
	for _, id := range l.dropped {
		ids[id]++
	}
	for _, task := range slices.Sorted(maps.Keys(l.dropped)) {
		if id := l.dropped[task]; l.task == "" && ids[id] == 1 && l.one(4) {
			said[id], l.said["item "+task] = "done: by hand", "done"
		}
	}
	if l.one(4) { // of what there is not
		said[fmt.Sprintf("%s_%d", []string{"plan", "subtask", "act"}[l.IntN(3)], 70+l.IntN(9))] = "done: long ago"
	}
	return said
}

// host writes a reply of the host.
func (l *liar) host(req *llm.Request, reply map[string]any) {
	raw, _ := llm.FindSection(req, "previous_subtasks")
	l.closed = nil
	_ = json.Unmarshal(raw, &l.closed)
	for _, s := range l.closed {
		if s.Status == string(fsm.Finish) {
			delete(l.plan, s.Text)
		}
	}
	todo := slices.DeleteFunc(slices.Clone(l.parts), func(part string) bool {
		finished := func(s blackboard.Subtask) bool { return s.Text == part && s.Status == string(fsm.Finish) }
		return slices.ContainsFunc(l.closed, finished) && (l.objects || l.truth[part] || !l.honest)
	})
	l.turns++
	switch asked := len(l.open(req)) > 0; {
	case len(todo) > 0 && l.turns < 14 && (l.honest || !l.one(3)) && (!asked || l.one(2)):
		l.assign(reply, todo)
	case l.turns < 20 && l.one(8):
		reply["Status"] = "CONTINUE"
		l.replan(reply, nil)
	case l.fails(reply):
	case l.objects && len(l.plan) > 0 && l.one(4):
		reply["Status"], reply["Result"] = "FINISH", "all done" // is refused
	case l.objects && len(l.plan) > 0:
		reply["Status"], reply["Plan"] = "CONTINUE", []any{}
		l.accepted = func() { l.draft(map[string]string{}) }
	default:
		l.finishing(req, reply)
	}
}

// fails gives up, now and then, where something is missing.
func (l *liar) fails(reply map[string]any) bool {
	if len(l.missing()) == 0 || !l.one(15) {
		return false
	}
	reply["Status"], reply["Comment"] = "FAIL", "I give up"
	return true
}

// assign gives a part away, sometimes to nobody.
func (l *liar) assign(reply map[string]any, todo []string) {
	part := todo[l.IntN(len(todo))]
	reply["Status"], reply["ControlLabel"], reply["CurrentSubTask"] = "ASSIGN", strconv.Itoa(l.IntN(2)), part
	l.replan(reply, todo)
	planned := l.accepted
	item := ""
	if l.objects {
		item = l.idIn(reply["Plan"], part)
		reply["CurrentSubTask"] = item
	}
	l.accepted = func() {
		planned()
		l.next = item
	}
	if l.one(10) {
		reply["ControlLabel"] = "9" // nothing of the reply counts
	}
}

// replan writes another plan, or none. One of objects has what is to be done.
func (l *liar) replan(reply map[string]any, todo []string) {
	l.accepted = func() {}
	switch {
	case l.objects && (todo != nil || l.one(2)):
		tasks := append(slices.Clone(todo), l.some()...)
		fresh := map[string]string{}
		numbers := l.Perm(9)
		list := []any{}
		for i, task := range slices.Compact(slices.Sorted(slices.Values(tasks))) {
			id := l.plan[task]
			if id == "" || l.one(3) {
				id = strconv.Itoa(numbers[i]) // it may be that of something else
			}
			fresh[task] = id
			list = append(list, map[string]any{"id": id, "task": task})
		}
		reply["Plan"] = list
		l.accepted = func() { l.draft(fresh) }
	case !l.objects && !l.one(3):
		texts := l.some()
		reply["Plan"] = texts
		l.accepted = func() {
			l.notes = slices.DeleteFunc(l.notes, func(n *note) bool { return !n.left && !slices.Contains(texts, n.text) })
			l.write(texts)
		}
	}
}

// some are texts of parts and of other things.
func (l *liar) some() []string {
	list := []string{}
	for i := range 3 {
		if l.one(3) {
			list = append(list, fmt.Sprintf("note %d", i))
		}
	}
	if !l.objects && l.one(3) {
		list = append(list, l.parts[l.IntN(len(l.parts))])
	}
	return list
}

func (l *liar) idIn(list any, task string) string {
	items, _ := list.([]any)
	for _, item := range items {
		if m, _ := item.(map[string]any); m["task"] == task {
			id, _ := m["id"].(string)
			return id
		}
	}
	return ""
}

// write notes the texts of a plan.
func (l *liar) write(texts []string) {
	for _, text := range texts {
		if !slices.ContainsFunc(l.notes, func(n *note) bool { return n.text == text }) {
			l.notes = append(l.notes, &note{text: text})
		}
	}
}

// draft notes a plan of objects. An id with a task that is new is the item of that id, in other
// words.
func (l *liar) draft(fresh map[string]string) {
	reworded := map[string]bool{}
	for task, id := range fresh {
		if l.plan[task] == "" && l.dropped[task] == "" {
			reworded[id] = true
		}
	}
	for task, id := range l.plan {
		if fresh[task] == "" && !reworded[id] {
			l.dropped[task] = id
		}
	}
	for task := range fresh {
		delete(l.dropped, task)
	}
	l.plan = fresh
}

// finishing writes a FINISH: its notes and answers count, whether it passes or not.
func (l *liar) finishing(req *llm.Request, reply map[string]any) {
	l.finish = true
	reply["Status"], reply["Result"] = "FINISH", "all done"
	if (!l.objects || l.alone) && (l.task == "" || l.alone) && l.one(4) {
		texts := l.some()
		reply["Plan"] = texts
		l.write(texts)
	}
	if l.task == "" {
		for _, n := range l.notes {
			n.left = n.left || !l.given[n.text]
		}
	}
	reply["Open"] = l.answer(req)
}

// app writes a reply of the agent of an application.
func (l *liar) app(req *llm.Request, reply map[string]any, part string) {
	if l.alone {
		part = l.parts[l.IntN(len(l.parts))]
	}
	act := func(status string) {
		reply["Status"], reply["Function"], reply["Args"] = status, "do", map[string]any{"part": part}
		if l.alone && status == "CONTINUE" {
			l.replan(reply, nil)
		}
	}
	_, acted := llm.FindSection(req, "history")
	switch n := l.IntN(10); {
	case len(l.open(req)) > 0 && n < 9, n == 1 && !l.honest:
		l.finishing(req, reply)
	case n == 0 && !l.alone:
		reply["Status"], reply["Comment"] = "FAIL", "I cannot"
	case l.alone && l.fails(reply):
	case n == 2:
		l.finishing(req, reply)
		act("FINISH")
	case n == 3: // nothing of it counts
		act("CONTINUE")
		reply["Function"] = "undo"
	case n == 4:
		part = l.parts[l.IntN(len(l.parts))]
		act("CONTINUE")
	case !acted || !l.truth[part] && n < 9 || l.alone && len(l.missing()) > 0 && l.honest:
		act("CONTINUE")
	default:
		l.finishing(req, reply)
	}
}

// do is the tool with which parts are done.
func (l *liar) do(s *stage) desktoptest.Tool {
	return desktoptest.Tool{Name: "do", Run: func(_ context.Context, call desktoptest.Call) (any, error) {
		part, _ := call.Params["part"].(string)
		n := l.IntN(10)
		switch {
		case n == 0:
			return nil, errors.New("it is locked")
		case n == 1 && !l.alone:
			s.Desktop.Gone(call.App)
			return nil, desktop.ErrWindowGone
		}
		if !l.finish { // else what it said was said of this, too
			for other := range l.doubts[l.task] {
				l.doubts[l.task][other] = ""
			}
			if l.alone {
				clear(l.said)
			}
		}
		if n < 4 {
			l.doubts[l.task][part] = ""
			return desktop.Result{Status: desktop.Success, Unverified: "nobody saw it"}, nil
		}
		delete(l.doubts[l.task], part)
		l.truth[part] = true
		return "done", nil
	}}
}

// actIn is an act in doubt in words, and partIn the part that it is about.
func actIn(part string) string { return fmt.Sprintf("do {%q:%q}: nobody saw it", "part", part) }

func partIn(act string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(act, `do {"part":"`), `"`)
	return part
}

// play plays one run, with a Verify that knows the truth or without one.
func (l *liar) play(t *testing.T, verified bool) (round.Result, error) {
	s := onStage(t)
	s.Desktop.AddTools(l.do(s))
	s.Desktop.Before(desktop.GetDesktopAppInfo, func(desktoptest.Call) { // somebody opens what is closed
		s.Desktop.Show(s.Word)
		s.Desktop.Show(s.Excel)
	})
	s.Config.Model, s.Config.NoImages, s.Config.MaxReasks, s.Config.MaxReplans = l, true, 20, 20
	s.Options.MaxRepeats, s.Options.MaxSteps = -1, -1
	s.Options.MaxTransitions = -1
	if verified {
		s.Config.Verify = func(context.Context, proof.Claim) (proof.Finding, error) {
			if missing := l.missing(); len(missing) > 0 {
				return proof.Finding{Verdict: proof.No, Evidence: fmt.Sprint("not done: ", missing)}, nil
			}
			return proof.Finding{Verdict: proof.Yes, By: "who knows it"}, nil
		}
	}
	if l.alone {
		return s.drive(s.alone(), "do all of it").Run(t.Context())
	}
	return s.run("do all of it")
}

func (l *liar) missing() (list []string) {
	for _, part := range l.parts {
		if !l.truth[part] {
			list = append(list, part)
		}
	}
	return list
}

// want is what Partial has to be: what failed, was dropped or is open, and no more.
func (l *liar) want(res round.Result) (want []string) {
	add := func(what, said, unsaid string) {
		if said != "done" {
			want = append(want, what+" "+cmp.Or(said, unsaid))
		}
	}
	for i, s := range res.Subtasks {
		again := func(later blackboard.Subtask) bool {
			return later.Text == s.Text && (later.App == s.App || l.items[s.ID] != "" && l.items[later.ID] == l.items[s.ID])
		}
		later := slices.DeleteFunc(slices.Clone(res.Subtasks[i+1:]), func(s blackboard.Subtask) bool { return !again(s) })
		_, dropped := l.dropped[s.Text]
		switch {
		case s.Status == string(fsm.Finish):
			if !slices.ContainsFunc(later, func(s blackboard.Subtask) bool { return s.Status == string(fsm.Finish) }) {
				for part, said := range l.doubts[s.ID] {
					add(s.ID+" "+actIn(part), said, "unanswered")
				}
			}
		case len(later) > 0:
		case dropped:
			add(s.ID+" "+s.Text, l.said["item "+s.Text], "dropped")
		default:
			add(s.ID+" "+s.Text, l.said[s.ID], "failed")
		}
		l.given[s.Text] = true
	}
	for task := range l.dropped {
		if !l.given[task] {
			add(task, l.said["item "+task], "dropped")
		}
	}
	for task := range l.plan {
		if !l.given[task] {
			add(task, "", "open")
		}
	}
	for _, n := range l.notes {
		if !l.given[n.text] {
			add(n.text, l.said[n.text], "open")
		}
	}
	if l.alone {
		for part, said := range l.doubts[""] {
			add(actIn(part), said, "open")
		}
	}
	return want
}

// got is what Partial is, in the same words.
func got(res round.Result) (list []string) {
	for _, undone := range res.Partial {
		what := undone.Task + " " + undone.Status
		if strings.HasPrefix(undone.ID, "subtask_") {
			what = undone.ID + " " + what
		}
		list = append(list, what)
	}
	return list
}
