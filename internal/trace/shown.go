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

type (
	wordsKey[Q any]      struct{}
	questionIDKey[Q any] struct{}
)

// WithWords returns a context under which a question is asked, and words returns it as it may be
// shown by now.
func WithWords[Q any](ctx context.Context, words func() Q) context.Context {
	return context.WithValue(ctx, wordsKey[Q]{}, words)
}

// WordsOf returns what WithWords was given, nil where nobody did.
func WordsOf[Q any](ctx context.Context) func() Q {
	words, _ := ctx.Value(wordsKey[Q]{}).(func() Q)
	return words
}

// WithQuestionID returns a context in which id names each question, before anybody sees it: one
// that was asked before keeps its name.
func WithQuestionID[Q any](ctx context.Context, id func(Q) string) context.Context {
	return context.WithValue(ctx, questionIDKey[Q]{}, id)
}

// QuestionIDOf returns what WithQuestionID was given, nil where nobody did.
func QuestionIDOf[Q any](ctx context.Context) func(Q) string {
	id, _ := ctx.Value(questionIDKey[Q]{}).(func(Q) string)
	return id
}
