package legible

import "regexp"

// packages are those of this module and of Go whose names stand before the texts of
// errors, and the instance path of a schema.
var packages = regexp.MustCompile(`(^|[\n(]|: |; )(?:(?:agentfsm|appagent|blackboard|desktop|fsm|hostagent|journal|json|jsonschema|llm|loosejson|plan|policy|processor|round|runs|runtask|screen): )+`)

// Plain is the text of an error for those who do not know this program, such as a
// model: without the names of its packages.
func Plain(text string) string {
	return packages.ReplaceAllString(text, "$1")
}
