// Package deciding asks a model what an agent does next. A decision is a struct that the
// kind defines:
//
//	type decision struct {
//		Bash   string     `json:"Bash,omitempty" desc:"the command line to run next"`
//		Status fsm.Status `json:"Status"`
//	}
//
//	d, err := deciding.Ask(ctx, deciding.Inquiry[decision]{
//		Model:    a.model,
//		Allowed:  deciding.Allowed(a),
//		Messages: []llm.Message{llm.Text(llm.System, "You administer a Linux machine.")},
//		Sections: []llm.Section{{Name: "task", Value: a.task}},
//	})
//
// [Allowed] lists the statuses that the table lets the model write in the agent's present state.
// Ask puts them into the prompt, the schema and the check of the reply. When it cannot use a reply,
// it asks the model again with the reason, three times by default, and then returns a [ErrReply].
// Messages instruct the model. Put texts of others into a section: there they stay inside a JSON string.
//
// Ask may be called by several goroutines. In tests package llmtest plays the model.
package deciding
