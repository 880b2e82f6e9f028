package x11

import (
	"testing"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
)

// Keys that type nothing are lent first, then those that a process which was killed has not taken back.
func TestSpareKeys(t *testing.T) {
	m := keyboard{first: 8, per: 4, syms: []xproto.Keysym{
		'a', 'A', 'a', 'A', // 8
		0, 0, 0, 0, // 9
		0x0100041e, 0x0100041e, 0x0100041e, 0x0100041e, // 10: О, lent
		0xffbe, 0xffbe, 0xffbe, 0xffbe, // 11: F1
		0xff0d, 0, 0xff0d, 0, // 12: Return
		0xfc, 0xdc, 0xfc, 0xdc, // 13: ü and Ü of a layout
		0xfc, 0xfc, 0, 0, // 14: ü, lent
		' ', ' ', ' ', ' ', // 15
		0, 0, 0, 0, // 16
	}}
	assert.Equal(t, []xproto.Keycode{16, 9, 14, 10}, m.spare())
}
