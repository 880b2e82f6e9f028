//go:build linux

package job_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
)

func TestRealDev(t *testing.T) {
	installed(t)
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	to, _ := strconv.Atoi(os.Getenv("TO"))
	out := os.Getenv("FORMAT")
	for i := from; i < to; i++ {
		c := sample.Paper(uint64(i))
		n := tally{}
		cfg := files(t, c, ".docx", out)
		report, err := job.Run(bounded(t), cfg)
		n.add(t, fmt.Sprintf("seed %d rows %d %s drawn %v of %d", c.Seed, len(c.Labels), c.Request, c.Drawn, len(c.Header)-1), cfg, c, report, err)
	}
}
