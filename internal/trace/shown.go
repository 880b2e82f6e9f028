package trace

import "context"

// Show returns a question as a person reads it: its words went through hide, and then
// were cut. Who cuts first leaves half a secret, which nobody finds any more.
type Show[Q any] func(q Q, hide func(string) string) Q

type showKey[Q any] struct{}

// WithShow returns a context that tells those who record a question how it is shown.
func WithShow[Q any](ctx context.Context, show Show[Q]) context.Context {
	return context.WithValue(ctx, showKey[Q]{}, show)
}

// ShowOf returns how the question that is asked under ctx is shown, nil where nobody says.
func ShowOf[Q any](ctx context.Context) Show[Q] {
	show, _ := ctx.Value(showKey[Q]{}).(Show[Q])
	return show
}
