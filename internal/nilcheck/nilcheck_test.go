package nilcheck_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

func TestIsNil(t *testing.T) {
	var (
		pointer  *int
		function func()
		list     []int
		channel  chan int
		table    map[string]int
		err      error
	)
	for _, v := range []any{nil, pointer, function, list, channel, table, err, fmt.Stringer(nil)} {
		assert.True(t, nilcheck.IsNil(v), "%T", v)
	}
	one := 1
	for _, v := range []any{0, "", false, struct{}{}, [1]int{}, &one, func() {}, []int{}, make(chan int), map[string]int{}, errors.New("x"), &pointer} {
		assert.False(t, nilcheck.IsNil(v), "%T", v)
	}
}
