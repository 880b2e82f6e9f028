package suite_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/lab/suite"
)

func TestBounded(t *testing.T) {
	for name, c := range map[string]struct {
		find func(context.Context) []string
		want []string
	}{
		"nothing":   {func(context.Context) []string { return nil }, nil},
		"a problem": {func(context.Context) []string { return []string{"it is red"} }, []string{"it is red"}},
		"a panic":   {func(context.Context) []string { panic("oh") }, []string{"the code under test panicked: oh"}},
		"it heeds its context": {func(ctx context.Context) []string {
			<-ctx.Done()
			return []string{context.Cause(ctx).Error()}
		}, []string{"anytest: it took more than 1m0s"}},
		"it does not": {func(context.Context) []string {
			time.Sleep(time.Hour)
			return nil
		}, []string{"a call has not come back after 1m0s, and did not heed its context"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				assert.Equal(t, c.want, suite.Bounded(t.Context(), "anytest", time.Minute, c.find))
				time.Sleep(2 * time.Hour) // whoever has not come back does so before the bubble ends
			})
		})
	}
}
