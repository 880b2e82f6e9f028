package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// Validator makes the check of a schema with a keyword that this package does not check,
// such as if: the package comment lists those that it does. The check gets a command's
// parameters, an object. Its error is for the model: it names the place, and quotes no value,
// which may be a secret.
//
// It is asked whenever tools are listed, for each such tool, from any goroutine. An error says
// that the schema cannot be checked; then nobody can use the tool. adapters/jsonschema has a
// Validator for all of draft 2020-12.
type Validator func(schema json.RawMessage) (check func(parameters json.RawMessage) error, err error)

// LeaveToTool is a [Validator] that checks nothing: whoever executes the tool does. It is for
// those who implement a [Desktop].
func LeaveToTool(json.RawMessage) (func(json.RawMessage) error, error) {
	return func(json.RawMessage) error { return nil }, nil
}

// Open is [Open] with the tools whose schema v checks. A nil v checks none.
func (v Validator) Open(ctx context.Context, d Desktop) (*Toolbox, error) {
	wrapped, _ := intercept(ctx, d)
	tools, err := wrapped.Tools(ctx)
	if err != nil {
		return nil, err
	}
	box, _ := v.sorted(tools)
	return box, nil
}

// NewToolbox is [NewToolbox] with the tools whose schema v checks. A nil v checks none.
func (v Validator) NewToolbox(tools []Tool) (*Toolbox, error) {
	box, problems := v.sorted(tools)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return box, nil
}

// UncheckedError says that a tool is left out because nothing checks a keyword of its schema.
type UncheckedError struct {
	Tool    string
	Keyword string // such as if
	Place   string // of the keyword, a JSON Pointer: #/properties/size/if
}

func (e *UncheckedError) Error() string {
	return fmt.Sprintf("desktop: tool %s: nothing checks the keyword %s of its schema (%s)", clip(e.Tool), clip(e.Keyword), clip(e.Place))
}

var errNoCheck = errors.New("the Validator returned no check for its schema")

// check returns what checks the parameters of a tool: nil where the schema does.
func (v Validator) check(tool Tool, schema *jsonschema.Schema) (func(json.RawMessage) error, error) {
	place := schema.Unchecked()
	if place == "" {
		return nil, nil
	}
	if v == nil {
		return nil, &UncheckedError{Tool: tool.Name, Keyword: place[strings.LastIndexByte(place, '/')+1:], Place: place}
	}
	check, err := v(tool.clone().InputSchema)
	if err == nil && check == nil {
		err = errNoCheck
	}
	return check, err
}
