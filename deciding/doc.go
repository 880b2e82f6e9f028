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
//		Sections: []llm.Section{{Name: "task", Value: a.task}},
//	})
//
// [Allowed] is what the table lets the model write where the agent stands. It goes into the
// prompt, the schema and the check. A reply that cannot be used is fed back with the reason,
// three times by default; then Ask returns an [ErrReply]. What others wrote belongs into a
// section, where it stays between its quotes.
//
// Ask may be called by several goroutines. In tests package llmtest plays the model.
package deciding
