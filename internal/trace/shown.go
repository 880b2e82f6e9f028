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
	wordsKey[Q any] struct{}
	askedKey[Q any] struct{}
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

// WithAsked returns a context in which asked gives each question, before anybody sees it, what it had when
// it was asked before: its name, and until when an answer counts. open: nobody has answered it yet.
func WithAsked[Q any](ctx context.Context, asked func(Q) (q Q, open bool)) context.Context {
	return context.WithValue(ctx, askedKey[Q]{}, asked)
}

// AskedBefore returns what the func of WithAsked does; q as it is where there is none.
func AskedBefore[Q any](ctx context.Context, q Q) (was Q, open bool) {
	if asked, ok := ctx.Value(askedKey[Q]{}).(func(Q) (Q, bool)); ok {
		return asked(q)
	}
	return q, false
}
