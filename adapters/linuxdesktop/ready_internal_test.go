package linuxdesktop

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A new window has no controls, then some of them, then all.
func TestSteady(t *testing.T) {
	for _, c := range []struct {
		counts []int
		want   []bool
	}{
		{[]int{40, 40}, []bool{false, true}},
		{[]int{1, 1, 1, 40, 40}, []bool{false, false, false, false, true}},
		{[]int{12, 40, 41, 41, 41}, []bool{false, false, false, true, true}},
		{[]int{40, 12, 40, 40}, []bool{false, false, false, true}},
	} {
		var s steady
		var is []bool
		for _, count := range c.counts {
			is = append(is, s.again(count))
		}
		assert.Equal(t, c.want, is, c.counts)
	}
}
