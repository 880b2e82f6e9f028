package adapters

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Failure is what an answer says that is an error. Servers write it in several ways; what
// they all do is in the fields.
type Failure struct {
	Status int // of the answer, or what its body says in Code; 0: none
	Wait   time.Duration

	Message     string
	Code, Param string
	Kind        string // the word for it: insufficient_quota, invalid_request_error, RESOURCE_EXHAUSTED
	Inner       string // of a gateway: the code of the filter behind it
	Generation  string // what the model wrote, where the server refuses that
}

// Said reports whether there was an error at all.
func (f *Failure) Said() bool { return f.Message != "" || f.Code != "" || f.Kind != "" }

// Is reports whether one of these words is its code or its kind.
func (f *Failure) Is(words ...string) bool {
	for _, word := range words {
		if f.Code == word || f.Kind == word || f.Inner == word {
			return true
		}
	}
	return false
}

// Mentions reports whether one of these words is in its message or is what it complains about.
// json_schema, JSON schema and JSONSchema are one word.
func (f *Failure) Mentions(words ...string) bool {
	text := squeeze(f.Param + "\n" + f.Message)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, squeeze(word)) })
}

// squeeze returns a text in lower case, without what servers put between the words of a name.
func squeeze(text string) string { return separators.Replace(strings.ToLower(text)) }

var separators = strings.NewReplacer(" ", "", "_", "", "-", "")

// strict is the word alone, not a part of restricted or strictly.
var strict = regexp.MustCompile(`(?i)(^|[^a-z])strict([^a-z]|$)`)

// MentionsStrict reports whether it is about a field of this name.
func (f *Failure) MentionsStrict() bool { return strict.MatchString(f.Param + "\n" + f.Message) }

// statuses are those of kinds of errors that come in an answer of success.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
	"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
	"timeout_error": 504, "overloaded_error": 529,
}

// ParseFailure reads {"error": {"message": …}}, {"error": "…"}, {"message": …} and
// {"detail": …}, also in a list. Anything else, such as a reply or a page of HTML, says
// nothing.
func ParseFailure(body []byte) *Failure {
	var f Failure
	top := objectIn(body)
	object := top
	if raw, ok := top["error"]; ok {
		if f.Message = scalar(raw); f.Message != "" {
			if more := words(top["message"], deep); more != "" {
				f.Message += ": " + more
			}
			f.Wait = waitIn(top, f.Message)
			return &f
		}
		object = objectIn(raw)
	} else if top["choices"] != nil || top["content"] != nil || scalar(top["type"]) == "message" {
		return &f // a reply
	}
	f.Message, f.Code, f.Param = said(object, deep), scalar(object["code"]), scalar(object["param"])
	f.Kind = cmp.Or(scalar(object["type"]), scalar(object["status"]))
	f.Status = statuses[f.Kind]
	if status, err := strconv.Atoi(f.Code); err == nil && status >= 400 && status < 600 {
		f.Status = status
	}
	f.Inner = scalar(objectIn(object["innererror"])["code"])
	f.Generation = scalar(object["failed_generation"])
	f.Wait = waitIn(object, f.Message)
	return &f
}

// maxPlain bounds a body that is taken for a message as it is. A longer one is a page or a trace.
const maxPlain = 4 << 10

// plainText is a body that is a text, as small servers write it; "" of a page of HTML, of JSON that broke off, and of
// what is no text.
func plainText(body []byte) string {
	text := strings.TrimSpace(string(body))
	if len(text) > maxPlain || !utf8.ValidString(text) || strings.ContainsRune(text, 0) || strings.HasPrefix(text, "<") {
		return ""
	}
	if said := scalar(json.RawMessage(text)); said != "" {
		return said
	}
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || json.Valid([]byte(text)) {
		return ""
	}
	return text
}

// objectIn is an object, or the first one of a list: some servers write a list of one.
func objectIn(raw json.RawMessage) (object map[string]json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0]
	}
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object
}

// deep is how far into a message it is looked for words, and many, how many complaints
// of a list are read.
const deep, many = 4, 3

// words is the text of a message, which is mostly a string. Some frameworks write a list
// of complaints, each with its place, and the request behind it, which is left out.
func words(raw json.RawMessage, depth int) string {
	if text := scalar(raw); text != "" || depth == 0 {
		return text
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return said(objectIn(raw), depth)
	}
	var all []string
	for _, item := range list[:min(len(list), many)] {
		if text := words(item, depth-1); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// said is the text of an object, behind its place.
func said(object map[string]json.RawMessage, depth int) (text string) {
	for _, name := range []string{"message", "detail", "errors", "msg"} {
		if text = words(object[name], depth-1); text != "" {
			break
		}
	}
	var steps []json.RawMessage
	if text == "" || json.Unmarshal(object["loc"], &steps) != nil {
		return text
	}
	var place []string
	for _, step := range steps {
		place = append(place, scalar(step))
	}
	return strings.Join(place, ".") + ": " + text
}

// scalar is a string or a number as text.
func scalar(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}
