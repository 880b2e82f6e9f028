package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

// A request is what a person wants, of any number of lines, and where the spreadsheet goes.
func TestRequest(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "draw it\nSave the spreadsheet as /out/a b.ods", rules.Request("draw it", "/out/a b.ods"))

	asked := rules.Request("Draw a bar chart\n  of the costs.", "/out/a b.ods") + " \n"
	d := ask[reply.App](t, inCalc(saveAs("")).with("request", asked))
	assert.Equal(t, "/out/a b.ods", d.Args["text"])
	d = ask[reply.App](t, inWriter(listed(1, 0, costs+","+sales)).with("request", asked))
	assert.Equal(t, "extract_table 1", call(d), "the path has no part in what is drawn")
}
