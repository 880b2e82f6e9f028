package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

func TestChoose(t *testing.T) {
	all := []task.Task{{Name: "sum"}, {Name: "sort"}, {Name: "pdf"}}
	for names, want := range map[string][]task.Task{
		"":             all,
		"sort":         {all[1]},
		"pdf,sum":      {all[0], all[2]}, // in the order of all
		"sort,pdf,sum": all,
	} {
		list, err := choose(all, names, nil)
		require.NoError(t, err)
		assert.Equal(t, want, list, names)
	}
	for names, says := range map[string]string{
		"srot":      `there is no task "srot"`,
		"sum,srot":  `there is no task "srot"`,
		"sum,sum":   `"sum", or it is named twice`,
		"sum,":      `there is no task ""`,
		"sum, sort": `there is no task " sort"`,
	} {
		list, err := choose(all, names, nil)
		require.ErrorContains(t, err, says)
		assert.Empty(t, list)
	}
	_, err := choose(all, "", []string{"sum"})
	assert.EqualError(t, err, `suite: what is "sum"? Everything is given by flags`)
}

func TestTable(t *testing.T) {
	type result struct {
		report report
		err    error
	}
	good := result{report{round.Finished, 9, 11, 1149 * time.Millisecond}, nil}
	fails := result{report{round.Failed, 1, 1, 40 * time.Millisecond}, nil}
	wrong := result{report{round.Finished, 4, 5, time.Second}, errors.New("a.txt is not there")}
	broken := result{err: errors.New("stage: no display")}
	const head = "| task | outcome | score | steps | model calls | time |\n|---|---|---|---|---|---|\n"
	for name, c := range map[string]struct {
		results   []result
		status    int
		out, errs string
	}{
		"all done": {[]result{good, fails}, 0, "| a | FINISH | 1 | 9 | 11 | 1.1 s |\n| b | FAIL | 1 | 1 | 1 | 0.0 s |\n\n2 of 2 tasks are done.\n", ""},
		"one not":  {[]result{wrong, good}, 1, "| a | FINISH | 0 | 4 | 5 | 1.0 s |\n| b | FINISH | 1 | 9 | 11 | 1.1 s |\n\n1 of 2 tasks are done.\n", "a: a.txt is not there\n"},
		"not run":  {[]result{broken}, 1, "| a |  | 0 | 0 | 0 | 0.0 s |\n\n0 of 1 tasks are done.\n", "a: stage: no display\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var tasks []task.Task
			for i := range c.results {
				tasks = append(tasks, task.Task{Name: string(rune('a' + i))})
			}
			do := func(_ context.Context, x task.Task) (report, error) {
				r := c.results[x.Name[0]-'a']
				return r.report, r.err
			}
			var out, errs bytes.Buffer
			assert.Equal(t, c.status, table(t.Context(), tasks, do, &out, &errs))
			assert.Equal(t, head+c.out, out.String())
			assert.Equal(t, c.errs, errs.String())
		})
	}
}
