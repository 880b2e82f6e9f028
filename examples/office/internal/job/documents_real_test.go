//go:build linux

package job_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// firstSeed is that of the first document. The program was made with others.
const firstSeed = 5000

// Documents that the program was not built on: several tables, 60 rows, other scripts, the table on page four,
// negative numbers, a merged header. At most three of twenty end in FAIL, and none is FINISH with a wrong file.
func TestRealDocuments(t *testing.T) {
	installed(t)
	for _, format := range []string{".xlsx", ".ods"} {
		t.Run(format, func(t *testing.T) {
			n := tally{}
			all := realpartstest.Runs(20)
			for i := range all {
				in := ".docx"
				if i%4 == 3 {
					in = ".odt"
				}
				c := paper(firstSeed + uint64(i))
				cfg := files(t, c, in, format)
				result, err := job.Run(bounded(t), cfg)
				n.add(t, fmt.Sprintf("seed %d, %s", c.Seed, in), cfg, c, result, err)
			}
			assert.GreaterOrEqual(t, n.finished, all-3*all/20)
		})
	}
}
