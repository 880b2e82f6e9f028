package desktop

import (
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

var errNoCheck = errors.New("the Validator returned no check for its schema")

// check returns what checks the parameters of a tool: nil where the schema does.
func (v Validator) check(tool Tool, schema *jsonschema.Schema) (func(json.RawMessage) error, error) {
	place := schema.Unchecked
	if place == "" {
		return nil, nil
	}
	if v == nil {
		return nil, fmt.Errorf("nothing checks the keyword %s of its schema (%s)", clip(place[strings.LastIndexByte(place, '/')+1:]), clip(place))
	}
	check, err := v(tool.clone().InputSchema)
	if err == nil && check == nil {
		err = errNoCheck
	}
	return check, err
}
