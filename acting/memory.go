package acting

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
)

const maxMemory = promptsize.Memory // steps that a Memory keeps

// MaxOutput is how many bytes of JSON a prompt shows of one result. What is
// longer goes to the blackboard whole, and the prompt shows its head and where
// it is.
const MaxOutput = promptsize.Output

// Memory is what an agent remembers of its steps, oldest first. It is part of an
// agent's data, with a stable JSON form; its zero value is empty. A copy is a memory of
// its own only after [Work.Next].
type Memory struct {
	memos   []Memo
	dropped int               // older ones, given up
	saved   []json.RawMessage // the first of memos, as Save returned them
}

// Memo is one remembered step.
type Memo struct {
	Task     string          `json:"task,omitempty"` // the sub-task's id
	Decision json.RawMessage `json:"decision,omitempty"`
	Actions  []MemoAction    `json:"actions,omitempty"`
	Note     string          `json:"note,omitempty"`
	Place    string          `json:"-"` // the target of most acts, such as an AppAgent's window, which they do not repeat
}

// MemoAction is an action of a [Memo], as the model is shown it.
type MemoAction struct {
	Tool       string          `json:"Function"`
	Parameters json.RawMessage `json:"Args,omitempty"`
	Target     string          `json:"target,omitempty"`
	Status     desktop.Status  `json:"status,omitempty"` // "": it succeeded
	Output     json.RawMessage `json:"output,omitempty"`
	Error      string          `json:"error,omitempty"`
}

// Add remembers a step. Of texts in Decision and of Note it keeps the first
// [MaxOutput] bytes, and of a Decision that is too long even so its head: what
// is remembered is in every prompt that follows.
func (m *Memory) Add(memo Memo) {
	memo.Decision, memo.Note = clipDecision(memo.Decision), clip.Text(memo.Note, MaxOutput)
	m.memos = append(m.memos, memo)
	if extra := len(m.memos) - maxMemory; extra > 0 {
		m.memos = m.memos[extra:] // append moves what is left to a new place from time to time
		m.saved = m.saved[min(extra, len(m.saved)):]
		m.dropped += extra
	}
}

// Record remembers a step with what was done in it. With an error it remembers
// what it could. A memo that says nothing is left out.
func (m *Memory) Record(board *blackboard.Board, memo Memo, acted []Acted) error {
	var err error
	memo.Actions, err = remember(board, acted)
	for i := range memo.Actions {
		if memo.Actions[i].Target == memo.Place {
			memo.Actions[i].Target = ""
		}
	}
	if len(memo.Actions) > 0 || len(memo.Decision) > 0 || memo.Note != "" {
		m.Add(memo)
	}
	return err
}

// Recent returns the last steps, at most n and none when n is negative. It is a view; do
// not change it. Of more than n steps it leaves out the older ones in blocks of half of n:
// so the history in a prompt mostly begins as it did in the step before, and a provider
// that caches prompts has read it already.
func (m *Memory) Recent(n int) []Memo {
	total := m.dropped + len(m.memos)
	if n <= 0 || total <= n {
		return m.memos[len(m.memos)-min(max(0, n), len(m.memos)):]
	}
	block := max(1, n/2)
	first := (total - n + block - 1) / block * block
	return m.memos[max(0, first-m.dropped):]
}

// clip returns a memory that adds nothing to what this one has.
func (m *Memory) clip() Memory {
	return Memory{memos: slices.Clip(m.memos), dropped: m.dropped, saved: slices.Clip(m.saved)}
}

// memoryJSON is the JSON form of a Memory.
type memoryJSON struct {
	Items   []Memo `json:"items,omitempty"`
	Dropped int    `json:"dropped,omitempty"`
}

// MarshalJSON writes all of the memory: see Save for a memory that is recorded.
func (m Memory) MarshalJSON() ([]byte, error) { return json.Marshal(memoryJSON{m.memos, m.dropped}) }

// UnmarshalJSON replaces the memory by what MarshalJSON wrote.
func (m *Memory) UnmarshalJSON(raw []byte) error {
	var form memoryJSON
	if err := json.Unmarshal(raw, &form); err != nil {
		return err
	}
	*m = Memory{memos: form.Items, dropped: form.Dropped}
	return nil
}

// Save returns the memory as a log of what an agent saves. Each memo is encoded once.
func (m *Memory) Save() (fsm.Log, error) {
	for _, memo := range m.memos[len(m.saved):] {
		raw, err := plainjson.Encode(memo) // as prompts have it
		if err != nil {
			return fsm.Log{}, fmt.Errorf("acting: save the memory: %w", err)
		}
		m.saved = append(m.saved, section.Escape(raw))
	}
	return fsm.Log{Dropped: m.dropped, Items: slices.Clip(m.saved)}, nil
}

// Load replaces the memory by what another one saved. When it fails, the memory is as it was.
func (m *Memory) Load(log fsm.Log) error {
	loaded := Memory{dropped: log.Dropped, saved: slices.Clone(log.Items)}
	for i, raw := range log.Items {
		var memo Memo
		if err := json.Unmarshal(raw, &memo); err != nil {
			return fmt.Errorf("acting: load memo %d: %w", log.Dropped+i+1, err)
		}
		loaded.memos = append(loaded.memos, memo)
	}
	*m = loaded
	return nil
}

// remember returns the acts as a memo has them. Output that is too long for a
// prompt is put on the board as action_result_N, from where a decision can
// refer to it with {"$ref": "action_result_N"}. Without a board, and where the
// board has no room for it or does not take it, only its head is kept; in the
// latter cases the memo says so. An error that is too long is cut.
func remember(board *blackboard.Board, acted []Acted) ([]MemoAction, error) {
	var list []MemoAction
	for _, a := range acted {
		item := MemoAction{
			Tool: a.Command.ToolName, Target: a.Target,
			Status: a.Result.Status, Error: clip.Text(a.Result.Error, MaxOutput),
		}
		if item.Status == desktop.Success {
			item.Status = ""
		}
		var err error
		if len(a.Command.Parameters) > 0 {
			var params []byte
			params, err = plainjson.Encode(a.Command.Parameters)
			item.Parameters = head(params, "", nil)
		}
		if err == nil {
			item.Output, err = keep(board, outputOf(a.Result))
		}
		if err != nil {
			return list, fmt.Errorf("acting: remember %s: %w", a.Command.ToolName, err)
		}
		list = append(list, item)
	}
	return list, nil
}

// keep returns an output as a prompt shows it, and puts a long one on the board.
// That it has no place there is no reason to fail: the action was executed, and
// with a board that stays full no step would succeed any more.
func keep(board *blackboard.Board, output json.RawMessage) (json.RawMessage, error) {
	if board == nil || len(output) <= MaxOutput {
		return head(output, "", nil), nil
	}
	name, err := board.PutNew("action_result", output)
	if errors.Is(err, blackboard.ErrFull) || errors.Is(err, blackboard.ErrNotSerialisable) {
		return head(output, "", err), nil
	}
	return head(output, name, nil), err
}

// Brief returns the sub-tasks as a prompt shows them: a long result, and a long reason, by its
// head and where it is.
func Brief(board *blackboard.Board, subtasks []blackboard.Subtask) []blackboard.Subtask {
	list := make([]blackboard.Subtask, len(subtasks))
	for i, s := range subtasks {
		if max(len(s.Result), len(s.Reason)) > MaxOutput {
			data, reason := "", ""
			if name, ok := board.Inside().ResultName(s.ID); ok {
				data, reason = name+".data", name+".reason"
			}
			s.Result, s.Reason = head(s.Result, data, nil), clip.Ref(s.Reason, MaxOutput, reason)
		}
		list[i] = s
	}
	return list
}

// outcome is what a finishing decision says: its result, else its comment, as a
// text for a person and as JSON.
func outcome(result json.RawMessage, comment string) (answer string, raw json.RawMessage) {
	if text := bytes.TrimSpace(result); len(text) == 0 || string(text) == "null" {
		if comment == "" {
			return "", nil
		}
		return comment, quote(comment)
	}
	var text string
	if json.Unmarshal(result, &text) == nil {
		return text, result
	}
	return string(result), result
}

// outputOf is what a result says, as one JSON value.
func outputOf(r desktop.Result) json.RawMessage {
	if len(r.Content) == 1 { // as mostly
		return partOf(&r.Content[0])
	}
	var parts []json.RawMessage
	for i := range r.Content {
		if part := partOf(&r.Content[i]); part != nil {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	list, err := plainjson.Encode(parts)
	if err != nil {
		return quote(err.Error())
	}
	return list
}

// partOf is a part of a result, nil where it says nothing.
func partOf(c *desktop.Content) json.RawMessage {
	switch {
	case len(c.JSON) > 0:
		return c.JSON
	case c.Image != nil:
		return quote(fmt.Sprintf("[%s, %d bytes]", c.Image.MediaType, len(c.Image.Data)))
	case c.Text != "":
		return quote(c.Text)
	}
	return nil
}

func quote(text string) json.RawMessage {
	raw, err := plainjson.Encode(text)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return raw
}
