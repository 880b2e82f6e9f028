package anthropic

import (
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentfsm/agentfsm/llm"
)

// addTexts adds texts that are one, behind an empty line where a text of another message is before
// them: a model sees nothing between two blocks of text.
func addTexts(to []sdk.ContentBlockParamUnion, parts []llm.Part) []sdk.ContentBlockParamUnion {
	texts := cut(parts)
	if len(texts) == 0 {
		return to
	}
	if last := len(to) - 1; last >= 0 && to[last].OfText != nil {
		const between = "\n\n"
		if before := to[last].OfText; before.CacheControl.Type == "" {
			texts[0].Text = before.Text + between + texts[0].Text
			to = to[:last]
		} else {
			texts[0].Text = between + texts[0].Text
		}
	}
	for i := range texts {
		to = append(to, sdk.ContentBlockParamUnion{OfText: &texts[i]})
	}
	return to
}

// cut returns texts that are one as blocks that end at the breakpoints. It cuts at each of them: the server
// compares blocks with those of earlier requests, which ended there. Servers refuse a block of
// white space, so that stays with the text before it.
func cut(parts []llm.Part) (blocks []sdk.TextBlockParam) {
	text := ""
	for _, part := range parts {
		text += part.Text
		if part.CacheBreakpoint && !blank(text) {
			blocks = append(blocks, sdk.TextBlockParam{Text: text, CacheControl: sdk.NewCacheControlEphemeralParam()})
			text = ""
		}
	}
	last := len(blocks) - 1
	switch {
	case !blank(text):
		return append(blocks, sdk.TextBlockParam{Text: text})
	case last >= 0:
		blocks[last].Text += text
	}
	return blocks
}

// blank reports whether servers refuse a text, as they do all that is white space.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

// maxBreakpoints are one less than the protocol allows, which is for the program's own Options.
const maxBreakpoints = 3

// fewBreakpoints keeps of too many breakpoints the first ones, behind what changes least, and the last one; or none.
func fewBreakpoints(out *sdk.MessageNewParams, none bool) {
	var marked []*sdk.CacheControlEphemeralParam
	add := func(mark *sdk.CacheControlEphemeralParam) {
		if mark != nil && mark.Type != "" { // thoughts have none
			marked = append(marked, mark)
		}
	}
	for i := range out.System {
		add(&out.System[i].CacheControl)
	}
	for _, m := range out.Messages {
		for _, b := range m.Content {
			add(b.GetCacheControl())
		}
	}
	for i, mark := range marked {
		if none || i >= maxBreakpoints-1 && i < len(marked)-1 {
			*mark = sdk.CacheControlEphemeralParam{}
		}
	}
}
