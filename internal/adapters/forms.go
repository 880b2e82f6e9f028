package adapters

import (
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// Form is how a request says what the reply must look like.
type Form int32

// The forms, from what binds most.
const (
	FormStrict Form = iota // the server holds the model to the schema
	FormLoose              // the model is shown the schema as a format
	FormPrompt             // the schema is a text of the prompt
)

// noted are the repairs that say that a strict schema went in another form.
var noted = map[Form]string{FormLoose: repair.NotStrict, FormPrompt: repair.InPrompt}

// maxForms bounds how many schemas are remembered that a server refuses. An agent has a few.
const maxForms = 100

// Forms remembers which forms a model takes. Its zero value has seen none refused.
type Forms struct {
	mu      sync.Mutex
	from    Form                       // the first form that may be taken
	schemas map[[sha256.Size]byte]Form // likewise, for one strict schema
}

// Complete sends a request in the first form, and where the server refuses that, in the next
// ones of these. What it refused is remembered when a later form is answered: only now it is
// known that the form was what was wrong. A response to a schema that went in another form than
// it should says so in its Repairs.
func (f *Forms) Complete(schema *llm.Schema, forms []Form, ask func(Form) (*llm.Response, FormatRefusal, error)) (*llm.Response, error) {
	first, several := f.first(schema), len(forms) > 1
	for len(forms) > 1 && forms[0] < first {
		forms = forms[1:]
	}
	type refused struct {
		by   FormatRefusal
		next Form
	}
	var refusals []refused
	for {
		resp, refusal, err := ask(forms[0])
		if refusal != FormatTaken && len(forms) > 1 && schema != nil {
			refusals, forms = append(refusals, refused{refusal, forms[1]}), forms[1:]
			continue
		}
		if err == nil || errors.Is(err, llm.ErrRefused) {
			for _, r := range refusals {
				f.remember(schema, r.by, r.next)
			}
		}
		kind, forgone := noted[forms[0]], schema != nil && (len(refusals) > 0 || first > FormStrict)
		if forgone && kind != "" && (schema.Strict || several && forms[0] == FormPrompt) {
			Note(resp, kind)
		}
		return resp, err
	}
}

// From is the first form that a model may take, as far as is known.
func (f *Forms) From() Form {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.from
}

func (f *Forms) first(schema *llm.Schema) Form {
	first := f.From()
	if schema == nil || !schema.Strict {
		return first
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(first, f.schemas[sha256.Sum256(schema.JSON)])
}

func (f *Forms) remember(schema *llm.Schema, by FormatRefusal, next Form) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case by == FormatUnknown:
		f.from = max(f.from, next)
	case by == FormatSchema && schema.Strict: // it comes again in the next step
		if f.schemas == nil || len(f.schemas) >= maxForms {
			f.schemas = map[[sha256.Size]byte]Form{}
		}
		key := sha256.Sum256(schema.JSON)
		f.schemas[key] = max(f.schemas[key], next)
	}
}
