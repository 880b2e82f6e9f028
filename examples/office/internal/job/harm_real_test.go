//go:build linux

package job_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// each does a run for each of some seeds, and judges it.
func each(t *testing.T, seeds []uint64, prepare func(t *testing.T, cfg *job.Config) (after func())) (n tally) {
	t.Helper()
	for i, seed := range seeds {
		c := sample.Paper(seed)
		cfg := files(t, c, ".docx", []string{".xlsx", ".ods"}[i%2])
		after := prepare(t, &cfg)
		report, err := job.Run(bounded(t), cfg)
		if after != nil {
			after()
		}
		n.add(t, fmt.Sprintf("seed %d", seed), cfg, c, report, err)
	}
	return n
}

// from are some seeds.
func from(first uint64, n int) (seeds []uint64) {
	for i := range n {
		seeds = append(seeds, first+uint64(i))
	}
	return seeds
}

// The agents see pictures, which are kept.
func TestRealPictures(t *testing.T) {
	installed(t)
	n := each(t, from(4100, realpartstest.Runs(5)), func(t *testing.T, cfg *job.Config) func() {
		cfg.Pictures = t.TempDir()
		return func() {
			list, err := os.ReadDir(cfg.Pictures)
			require.NoError(t, err)
			assert.Greater(t, len(list), 10)
		}
	})
	assert.Zero(t, n.failed)
}

// everything is a policy under which a person approves each act.
func everything(_ context.Context, tool desktop.Tool, _ desktop.Command) policies.Verdict {
	if tool.Annotations.ReadOnlyHint || tool.Name == desktop.Wait {
		return policies.Verdict{Action: policies.Allow}
	}
	return policies.Verdict{Action: policies.Confirm, Reason: "everything is approved"}
}

// says is a person who approves everything.
type says struct {
	mu    sync.Mutex
	asked []string
	first func() // before each answer
}

func (s *says) Ask(_ context.Context, q people.Question) (people.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q.Text)
	if s.first != nil {
		s.first()
	}
	return people.Answer{Approved: true, Text: "yes"}, nil
}

// Each act is approved, while the person's own window has the focus.
func TestRealApproved(t *testing.T) {
	installed(t)
	realpartstest.Desktop(t, headless.Missing("mousepad"))
	n := each(t, from(4200, realpartstest.Runs(5)), func(t *testing.T, cfg *job.Config) func() {
		s := newScreen(t)
		person := &says{first: s.distract}
		cfg.Screen, cfg.Policy, cfg.User = s.stage(), everything, person
		return func() { assert.Greater(t, len(person.asked), 8) }
	})
	assert.Zero(t, n.failed)
}

// Another program takes the focus at random moments.
func TestRealFocus(t *testing.T) {
	installed(t)
	realpartstest.Desktop(t, headless.Missing("mousepad"))
	random := rand.New(rand.NewPCG(1, 1))
	n := each(t, from(4300, realpartstest.Runs(5)), func(t *testing.T, cfg *job.Config) func() {
		s := newScreen(t)
		cfg.Screen = s.stage()
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(random.IntN(4000)) * time.Millisecond):
					s.distract()
				}
			}
		}()
		return func() { close(stop); <-done }
	})
	assert.LessOrEqual(t, n.failed, 1)
}

// LibreOffice is killed at random moments: the agents plan anew, or give up, and no FINISH has a wrong file.
func TestRealKilledOffice(t *testing.T) {
	installed(t)
	random := rand.New(rand.NewPCG(2, 2))
	killed := 0
	n := each(t, from(4400, realpartstest.Runs(20)), func(t *testing.T, cfg *job.Config) func() {
		s := newScreen(t)
		cfg.Screen = s.stage()
		after := time.Duration(2000+random.IntN(12000)) * time.Millisecond
		done := make(chan struct{})
		timer := time.AfterFunc(after, func() {
			defer close(done)
			if s.kill("soffice.bin") {
				killed++
				t.Logf("killed after %v", after)
			}
		})
		return func() {
			if !timer.Stop() {
				<-done
			}
		}
	})
	t.Logf("%d killed, %d finished, %d failed", killed, n.finished, n.failed)
	runs := n.finished + n.failed
	assert.GreaterOrEqual(t, 2*killed, runs)
	if runs > 1 { // one alone may give up
		assert.Positive(t, n.finished)
	}
}
