package people

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Bounds of what a person is shown, in bytes. A command is shown whole.
const (
	maxName  = 1 << 10 // of the name of an agent
	maxTitle = 200     // of the title of a window: a page says what it likes there, at any length
	maxWords = 8 << 10 // of everything in words
)

// prepare returns a question as interceptors see it, and how a user is shown it. A run that
// is resumed knows other secrets than before, and finds its questions by their words all
// the same: so secrets are hidden after the interceptors.
func prepare(q Question) (Question, trace.Show[Question]) {
	q.Agent = clip.Name(legible.Exact(q.Agent), maxName) // names of a window are in it
	show := hidden
	if q.Command != nil && q.Text == "" {
		q, show = request(q)
	}
	q.Text = legible.Text(q.Text)
	return q, func(q Question, hide func(string) string) Question {
		q = show(q, hide)
		q.Agent = hide(q.Agent)
		return q
	}
}

// hidden is a question whose Text the caller wrote.
func hidden(q Question, hide func(string) string) Question {
	for _, text := range []*string{&q.Text, &q.Title, &q.Target, &q.Reason, &q.Comment} {
		*text = hide(*text)
		if q.Command == nil || text != &q.Text && text != &q.Target { // what is not shown is not approved
			*text = clip.Text(*text, maxWords)
		}
	}
	return q
}

// request is a request to approve a command whose Text is written here. Secrets are hidden
// in words only: in the command, a secret of the model's choice would hide what is approved.
func request(q Question) (Question, trace.Show[Question]) {
	shown := q.Shown
	if shown == nil {
		shown = q.Command
	}
	cmd, said := *cloneCommand(shown), words{q.Target, q.Title, q.Reason, q.Comment}
	asked := said
	asked.title = clip.Name(said.title, maxWords) // whole: nobody finds half a secret
	return asked.put(q, cmd), func(q Question, hide func(string) string) Question {
		// They are cut when the secrets are out.
		return words{
			target: hide(said.target), title: clip.Text(hide(said.title), maxTitle),
			reason: clip.Text(hide(said.reason), maxWords), comment: clip.Text(hide(said.comment), maxWords),
		}.put(q, cmd)
	}
}

// words are what a request for an approval has besides the command.
type words struct{ target, title, reason, comment string }

// put returns q with these words, and a Text that has the whole command, however long: what
// is not shown is not approved. Its origin is a part of that, whatever a model calls a secret.
func (w words) put(q Question, shown desktop.Command) Question {
	q.Target, q.Title = legible.Exact(w.target), legible.Exact(w.title)
	q.Reason, q.Comment = legible.Exact(w.reason), legible.Exact(w.comment)
	q.Text = "Allow " + legible.Name(shown.ToolName)
	if len(shown.Parameters) > 0 {
		params, err := plainjson.Encode(shown.Parameters)
		if err != nil {
			params = []byte("(arguments that cannot be shown)")
		}
		q.Text += " " + legible.Exact(string(params))
	}
	if shown.Origin != "" {
		q.Text += " of " + legible.Exact(fmt.Sprintf("%q", shown.Origin))
	}
	if q.Target != "" {
		q.Text += " on " + named(w.target)
	}
	if q.Title != "" {
		q.Text += " titled " + legible.Exact(fmt.Sprintf("%q", w.title))
	}
	q.Text += "?"
	if q.Reason != "" {
		q.Text += " It needs approval because " + q.Reason + "."
	}
	if q.Comment != "" {
		q.Text += " The agent says: " + legible.Exact(fmt.Sprintf("%q", w.comment))
	}
	return q
}

// named is a target as a part of the sentence. Where the names in it are quoted, and what is around
// them is plain, it stays as it is: Button "Yes" (12) of the dialog "Delete?" (3). Any other is
// quoted as a whole, so that it cannot speak for the question around it.
func named(target string) string {
	if quotesItsNames(target) {
		return legible.Exact(target)
	}
	return legible.Exact(fmt.Sprintf("%q", target))
}

func quotesItsNames(target string) bool {
	quotes, around, before := false, "", ' '
	for rest := target; rest != ""; {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil && quoted[0] == '"' && strings.ContainsRune(" (", before) {
			if rest = rest[len(quoted):]; rest != "" && !strings.ContainsRune(" ),", rune(rest[0])) {
				return false
			}
			quotes, before, around = true, '"', around+"_"
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-./:%#(),", r) {
			return false
		}
		before, around, rest = r, around+string(r), rest[size:]
	}
	return quotes && !strings.Contains(around, " titled")
}
