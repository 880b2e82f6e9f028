package program

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/people"
)

// reader is a person who reads the lines of a shell as they are typed. The question has the same line as JSON. A line
// with characters that a terminal may obey or hide is shown as JSON only.
type reader struct{ *person.Person }

func (r reader) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if q.Shown != nil {
		line, _ := q.Shown.Parameters["bash_command"].(string)
		if !strings.ContainsFunc(line, func(r rune) bool { return (r < ' ' || r > '~') && r != '\n' }) && line != "" {
			fmt.Fprintln(r.Out, "  | "+strings.ReplaceAll(line, "\n", "\n  | "))
		}
	}
	return r.Person.Ask(ctx, q)
}
