package closed

import "encoding/json"

// Parameters is the closed form of the parameters of a tool, as Calls has it.
func Parameters(schema json.RawMessage) (json.RawMessage, bool) {
	v, ok := arguments(schema, false)
	if !ok {
		return nil, false
	}
	return Share(v).Append(nil), true
}
