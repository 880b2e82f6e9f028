package llmtest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// escapings is how many times a text that is then put into base64 may have been put
// into quotes or JSON before: the reply that a model is shown again is JSON inside a
// quoted text inside a section, and one more is for what programs add.
const escapings = 4

// encodedForms are a secret where its characters are not to be seen: in hex, and in
// base64, alone or as a part of a longer text, also in hex, in a URL, in quotes or JSON
// before that.
func encodedForms(secret string) []string {
	lower := hex.EncodeToString([]byte(secret))
	list := []string{lower, strings.ToUpper(lower)}
	for _, form := range escaped(secret, url.QueryEscape(secret), url.PathEscape(secret), lower) {
		list = append(list, inBase64(form)...)
	}
	return list
}

// escaped returns texts as they are, and in quotes and JSON up to escapings times,
// in any mixture of the two.
func escaped(texts ...string) []string {
	list, last := texts, texts
	for range escapings {
		var next []string
		for _, text := range last {
			quoted := strconv.Quote(text)
			for _, form := range []string{quoted[1 : len(quoted)-1], inJSON(text)} {
				if form != text {
					next = append(next, form)
				}
			}
		}
		slices.Sort(next)
		last = slices.Compact(next)
		list = append(list, last...)
	}
	return list
}

// inJSON escapes as encoding/json does by default; strconv.Quote is close to what
// it does without <, > and &.
func inJSON(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return text // a string always has a JSON form
	}
	return string(raw[1 : len(raw)-1])
}

// inBase64 returns a text as it stands in the base64 of another one that has it
// somewhere. Three bytes are four characters, so there are three ways to lie in it;
// a character that it shares with a neighbour is another one each time, and left
// out. Alone the text is whole.
func inBase64(text string) []string {
	var list []string
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		list = append(list, e.EncodeToString([]byte(text)))
		for before := range 3 {
			all := e.EncodeToString([]byte("\x00\x00\x00"[:before] + text))
			from, to := (before*8+5)/6, (before+len(text))*8/6
			if to-from >= shortestSecret {
				list = append(list, all[from:to])
			}
		}
	}
	return list
}
