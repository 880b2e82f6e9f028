package desktop

import (
	"encoding/json"
	"slices"
)

// masked stands for a secret in what [Toolbox.Mask] returns.
const masked = "***"

// Hides reports whether [Toolbox.Mask] may hide anything of a command: its tool's schema
// marks a secret, or nobody knows that tool, or the parameters have no JSON form.
func (b *Toolbox) Hides(cmd Command) bool {
	if schema := b.schema(cmd.ToolName); schema == nil || schema.Hides {
		return true
	}
	_, ok := asJSON(cmd.Parameters)
	return !ok
}

// Mask returns a deep copy of a command for the eyes of people: parameters
// whose schema says writeOnly or format password, at any depth, are "***".
// Numbers in the copy are of type json.Number. A tool that the box does not
// have is looked up among the well-known ones; of one that nobody knows, and of
// parameters that cannot be written as JSON, every parameter is masked.
func (b *Toolbox) Mask(cmd Command) Command {
	p, ok := plain(cmd.Parameters)
	schema := b.schema(cmd.ToolName)
	if !ok || schema == nil {
		cmd.Parameters = maskAll(cmd.Parameters)
		return cmd
	}
	masking, _ := schema.Hide(p, masked)
	if cmd.Parameters, ok = masking.(map[string]any); !ok {
		cmd.Parameters = maskAll(p)
	}
	return cmd
}

// Secrets returns the values that [Toolbox.Mask] hides because of a schema:
// strings, and numbers as they are written, so that they can be found in other
// texts. A PIN is a secret however short; who looks for a short one does well
// to look for whole words. Sorted, each once.
func (b *Toolbox) Secrets(cmd Command) []string {
	p, ok := plain(cmd.Parameters)
	schema := b.schema(cmd.ToolName)
	if !ok || schema == nil {
		return nil
	}
	var out []string
	_, secrets := schema.Hide(p, masked)
	for _, secret := range secrets {
		collect(secret, &out)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func maskAll(parameters map[string]any) map[string]any {
	out := make(map[string]any, len(parameters))
	for name := range parameters {
		out[name] = masked
	}
	return out
}

func collect(v any, out *[]string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			*out = append(*out, v)
		}
	case json.Number:
		*out = append(*out, string(v))
	case map[string]any:
		for _, item := range v {
			collect(item, out)
		}
	case []any:
		for _, item := range v {
			collect(item, out)
		}
	}
}
