package deciding

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/schemaof"
	"github.com/agentfsm/agentfsm/llm"
)

// shape is what a decision of one type must look like in one state. It is the
// same in every step, and takes longer to make than the rest of the step, so it
// is made once.
type shape struct {
	schema llm.Schema
	fits   *jsonschema.Schema
}

// maxShapes bounds the memory of shapes. A program has a few types and states; who
// makes up allowed statuses at run time gets past it, and is not remembered.
const maxShapes = 1000

var (
	shapes     sync.Map // from shapeKey to *shape
	shapeCount atomic.Int32
)

type shapeKey struct {
	decision reflect.Type
	allowed  string // with nil told from none
}

func keyOf(t reflect.Type, allowed []fsm.Status) shapeKey {
	if allowed == nil {
		return shapeKey{decision: t}
	}
	var b strings.Builder
	for _, s := range allowed {
		fmt.Fprintf(&b, "%d:%s", len(s), s) // no status can look like two
	}
	return shapeKey{decision: t, allowed: "[" + b.String()}
}

// shapeOf returns the shape of a T where these statuses are allowed, with a
// schema that the caller owns.
func shapeOf[T any](allowed []fsm.Status) (*llm.Schema, *jsonschema.Schema, error) {
	t := reflect.TypeFor[T]()
	key := keyOf(t, allowed)
	if known, ok := shapes.Load(key); ok {
		schema, fits := known.(*shape).copies()
		return schema, fits, nil
	}
	schema, err := llm.SchemaOf[T](schemaName(t))
	if err != nil {
		return nil, nil, err
	}
	if schema, err = restrict(schema, t, allowed); err != nil {
		return nil, nil, err
	}
	fits, err := jsonschema.Compile(schema.JSON)
	if err != nil {
		return nil, nil, err
	}
	made := &shape{schema: *schema, fits: fits}
	if shapeCount.Load() < maxShapes {
		if _, known := shapes.LoadOrStore(key, made); !known {
			shapeCount.Add(1)
		}
	}
	schema, fits = made.copies()
	return schema, fits, nil
}

func (s *shape) copies() (*llm.Schema, *jsonschema.Schema) {
	schema := s.schema
	schema.JSON = append([]byte(nil), schema.JSON...)
	return &schema, s.fits
}

// restrict returns the schema with the allowed statuses as an enum.
func restrict(schema *llm.Schema, t reflect.Type, allowed []fsm.Status) (*llm.Schema, error) {
	_, name, ok := statusField(t)
	switch {
	case allowed == nil:
		return schema, nil
	case !ok:
		return nil, fmt.Errorf("deciding: there is an Inquiry.Allowed, and %s has no field Status of a string type", t)
	case len(allowed) == 0:
		return nil, errors.New("deciding: Inquiry.Allowed or Offered is empty: no status is allowed here")
	}
	words := make([]string, len(allowed))
	for i, s := range allowed {
		words[i] = string(s)
	}
	raw, err := schemaof.WithEnum(schema.JSON, name, words...)
	if err != nil {
		return nil, fmt.Errorf("deciding: the schema of %s: %s: %w", t, name, err)
	}
	schema.JSON = raw
	return schema, nil
}

// schemaName is the name of T where that is one that providers take.
func schemaName(t reflect.Type) string {
	name := strings.ToLower(t.Name())
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return "decision"
	}
	return name
}

// statusField finds the field of a struct that holds a decision's status, and its JSON name.
func statusField(t reflect.Type) (index []int, name string, ok bool) {
	f, ok := t.FieldByName("Status")
	if !ok || f.Type.Kind() != reflect.String {
		return nil, "", false
	}
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	return f.Index, name, true
}
