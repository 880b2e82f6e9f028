package legible

import (
	"regexp"
	"slices"
	"strings"
)

// names are those of the packages of this module, as they stand before the texts of errors, but for
// words that a model may have written itself, such as plan and round.
var names = []string{"acting: ", "agentfsm: ", "appagent: ", "blackboard: ", "deciding: ", "desktop: ", "fsm: ", "hostagent: ", "jsonschema: ", "llm: ", "loosejson: "}

var packages = regexp.MustCompile(`(^|[\n(]|: |; )(?:` + strings.Join(names, "|") + `)+`)

// asked are errors of package people, whose name is a word that a model may write.
var asked = regexp.MustCompile(`\bpeople: (ask: |question \S+ is answered later|there is nobody to ask|nobody answered in time)`)

// Plain is the text of an error for those who do not know this program, such as a
// model: without the names of its packages.
func Plain(text string) string {
	named := func(name string) bool { return strings.Contains(text, name) }
	if !slices.ContainsFunc(names, named) && !named("people: ") {
		return text // as mostly
	}
	return packages.ReplaceAllString(asked.ReplaceAllString(text, "$1"), "$1")
}
