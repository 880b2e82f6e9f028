package xlsx

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxText is how many UTF-16 units a cell holds.
const maxText = 32767

// maxDigits is how many digits of an integer a spreadsheet keeps.
const maxDigits = 15

// checked returns value as string, bool, float64 or nil.
func checked(value any) (any, error) {
	refuse := func(reason string) (any, error) { return nil, &Error{Err: ErrValue, Reason: reason} }
	switch v := value.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return refuse("text that is not UTF-8")
		}
		if n := len(utf16.Encode([]rune(v))); n > maxText {
			return refuse(fmt.Sprintf("a text of %d characters, at most %d", n, maxText))
		}
		for _, r := range v {
			if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\uFFFE' || r == '\uFFFF' {
				return refuse(fmt.Sprintf("text with the control character %U", r))
			}
		}
		return v, nil
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return refuse(fmt.Sprintf("%q as a number", string(v)))
		}
		if whole := strings.TrimPrefix(string(v), "-"); len(whole) > maxDigits && strings.Trim(whole, "0123456789") == "" {
			return refuse(fmt.Sprintf("an integer of %d digits, at most %d are kept; write it as text", len(whole), maxDigits))
		}
		return checked(f)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return refuse(fmt.Sprint(v))
		}
		return v, nil
	case float32:
		return checked(float64(v))
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return checked(json.Number(fmt.Sprint(v)))
	}
	return refuse(fmt.Sprintf("a %T", value))
}

// escape is what a spreadsheet takes for an escaped character.
var escape = regexp.MustCompile(`^_x[0-9A-Fa-f]{4}_`)

// escaped writes a text so that _x0041_ is not read as A, and a carriage return
// survives XML.
func escaped(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch {
		case text[i] == '_' && escape.MatchString(text[i:]):
			// Also where the end of one is the start of the next. In lower
			// case, because the library that writes the file finds equal texts
			// by a form in which it escapes in upper case, and takes one for another.
			b.WriteString("_x005f_")
		case text[i] == '\r':
			b.WriteString("_x000D_")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// sheetName takes out what the name of a sheet may not have.
func sheetName(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || strings.ContainsRune(`:\/?*[]`, r) {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	for len(utf16.Encode([]rune(text))) > 31 {
		_, last := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-last]
	}
	text = strings.Trim(text, "' ")
	if text == "" || strings.EqualFold(text, "History") { // Excel keeps that name for itself
		return "Sheet1"
	}
	return text
}
