package legible

import "regexp"

// packages are those of this module whose names stand before the texts of errors, but for
// words that a model may have written itself, such as plan and round.
var packages = regexp.MustCompile(`(^|[\n(]|: |; )(?:(?:acting|agentfsm|appagent|blackboard|deciding|desktop|fsm|hostagent|jsonschema|llm|loosejson): )+`)

// asked are errors of package people, whose name is a word that a model may write.
var asked = regexp.MustCompile(`\bpeople: (ask: |question \S+ is answered later|there is nobody to ask|nobody answered in time)`)

// Plain is the text of an error for those who do not know this program, such as a
// model: without the names of its packages.
func Plain(text string) string {
	return packages.ReplaceAllString(asked.ReplaceAllString(text, "$1"), "$1")
}
