package mcpserver

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/internal/adapters"
)

// inputSchema is that of adapters.TaskArguments.
func inputSchema() map[string]any {
	return map[string]any{
		"type": "object", "required": []string{"request"}, "additionalProperties": false,
		"properties": map[string]any{
			"request": map[string]any{"type": "string", "minLength": 1, "description": adapters.RequestDescription},
		},
	}
}

// outputSchema is that of the JSON of a runtask.Result. It allows names that are not
// in it, so that a client with an older one takes a newer result.
func outputSchema() json.RawMessage { return json.RawMessage(resultSchema) }

const resultSchema = `{
"type": "object",
"description": "What the task came to. There is one only of a task that is done.",
"required": ["outcome", "agent", "status", "steps", "transitions", "calls", "usage"],
"properties": {
  "run": {"type": "string", "description": "the run of the task, if it has an id"},
  "round": {"type": "integer", "description": "the number of the task in its session, from 1"},
  "outcome": {"type": "string", "const": "FINISH"},
  "answer": {"type": "string", "description": "what to tell whoever asked for the task"},
  "agent": {"type": "string", "description": "the agent that ended it"},
  "status": {"type": "string"},
  "reason": {"type": "string"},
  "warning": {"type": "string", "description": "what could not be cleaned up; the task is done all the same"},
  "steps": {"type": "integer", "minimum": 0},
  "transitions": {"type": "integer", "minimum": 0},
  "calls": {"type": "integer", "minimum": 0, "description": "of the model"},
  "cost": {"type": "number"},
  "usage": {"type": "object", "description": "tokens", "properties": {
    "input_tokens": {"type": "integer"}, "output_tokens": {"type": "integer"},
    "cache_read_tokens": {"type": "integer", "description": "of the input"}, "cache_creation_tokens": {"type": "integer", "description": "of the input"},
    "reasoning_tokens": {"type": "integer", "description": "of the output"}}},
  "partial": {"type": "array", "description": "what was not done", "items": {"type": "object",
    "required": ["task", "status"],
    "properties": {
      "id": {"type": "string"},
      "task": {"type": "string"},
      "status": {"type": "string", "enum": ["failed", "dropped"]},
      "reason": {"type": "string"}}}},
  "verified": {"type": "object", "description": "who found that it is done",
    "required": ["verdict"],
    "properties": {
      "verdict": {"type": "string", "enum": ["yes", "no", "unknown"]},
      "by": {"type": "string"},
      "evidence": {"type": "string"}}},
  "subtasks": {"type": "array", "items": {"type": "object",
    "required": ["id", "application", "task", "status"],
    "properties": {
      "id": {"type": "string"},
      "application": {"type": "string"},
      "task": {"type": "string"},
      "depends_on": {"type": "array", "items": {"type": "string"}},
      "status": {"type": "string", "description": "FINISH: it was done"},
      "reason": {"type": "string"},
      "data": {"description": "what came out of it"},
      "data_bytes": {"type": "integer", "description": "how long the data is, where it was too long to be here"}}}}
}}`
