// Package fakemodel plays a language model by rules, so that the examples run offline.
//
//	model := fakemodel.New(fakemodel.Rules{
//		fakemodel.Host: func(p *fakemodel.Prompt) fakemodel.Reply { return p.Assign("Excel", "Draw a chart.") },
//		"Excel":        func(p *fakemodel.Prompt) fakemodel.Reply { … },
//	})
//
// A rule sees what a real model sees: the sections of one prompt. It keeps nothing between two calls. The text of
// its reply goes through the same parser as that of a real model. docs/guides/prompt.md describes the sections.
package fakemodel
