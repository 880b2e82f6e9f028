package x11

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
)

// keyboard says which key types what: per keysyms for each key, of which the first two are those
// of the first layout, without and with Shift, and the next two those of the second.
type keyboard struct {
	first    xproto.Keycode
	per      int
	syms     []xproto.Keysym
	layout   int
	capsLock bool
	lent     map[xproto.Keysym]xproto.Keycode // spare keys, by the characters that they have for a while
}

// keyboard reads the keys, which other programs change, and which layout is chosen.
func (d *Display) keyboard() (k keyboard, err error) {
	first := d.setup.MinKeycode
	m, err := xproto.GetKeyboardMapping(d.x, first, byte(d.setup.MaxKeycode-first)+1).Reply()
	if err != nil {
		return k, err
	}
	if m.KeysymsPerKeycode == 0 {
		return k, errors.New("the keyboard has no keys")
	}
	p, err := xproto.QueryPointer(d.x, d.root).Reply()
	if err != nil {
		return k, err
	}
	return keyboard{
		first: first, per: int(m.KeysymsPerKeycode), syms: m.Keysyms,
		layout:   int(p.Mask>>13) & 3, // as the XKB extension writes it there
		capsLock: p.Mask&xproto.ModMaskLock != 0,
		lent:     map[xproto.Keysym]xproto.Keycode{},
	}, nil
}

// find returns the key of a keysym in a layout, and whether Shift is needed.
func (k keyboard) find(sym xproto.Keysym, layout int) (code xproto.Keycode, shift, ok bool) {
	for level := range 2 {
		column := 2*layout + level
		if column >= k.per {
			return 0, false, false
		}
		for i := 0; i+column < len(k.syms); i += k.per {
			if k.syms[i+column] == sym {
				return k.first + xproto.Keycode(i/k.per), level == 1, true
			}
		}
	}
	return 0, false, false
}

// spare returns the keys that type nothing, the last first, and behind them those that a process has lent and not taken
// back because it was killed.
func (k keyboard) spare() (free []xproto.Keycode) {
	var lost []xproto.Keycode
	for i := len(k.syms)/k.per - 1; i >= 0; i-- {
		code := k.first + xproto.Keycode(i)
		switch row := k.syms[i*k.per : (i+1)*k.per]; {
		case !slices.ContainsFunc(row, func(sym xproto.Keysym) bool { return sym != 0 }):
			free = append(free, code)
		case lentRow(row):
			lost = append(lost, code)
		}
	}
	return append(free, lost...)
}

// lentRow reports whether a key types one character, whatever is held with it: no layout has such keys, lend makes them.
func lentRow(row []xproto.Keysym) bool {
	if len(row) < 2 || row[0] != row[1] || row[0] < 0xa0 || row[0] >= 0xf000 && row[0] < unicodeSyms {
		return false
	}
	return !slices.ContainsFunc(row, func(sym xproto.Keysym) bool { return sym != 0 && sym != row[0] })
}

// lend chooses spare keys for characters without a key, and returns the strokes for which they last.
func (k keyboard) lend(strokes []Stroke) []Stroke {
	free := k.spare()
	for i, s := range strokes {
		if _, _, ok := k.find(s.sym, k.layout); ok || k.lent[s.sym] != 0 {
			continue
		}
		if len(k.lent) == len(free) {
			return strokes[:i]
		}
		k.lent[s.sym] = free[len(k.lent)]
	}
	return strokes
}

// Programs need a moment to learn of a key that was lent, and to read what was typed before it is taken back.
const learn = 60 * time.Millisecond

// Type presses keys one after another and returns how many it did. before, which may be nil, is
// called in front of each; its error ends Type. No key stays pressed.
func (d *Display) Type(ctx context.Context, strokes []Stroke, before func() error) (done int, err error) {
	for done < len(strokes) && err == nil {
		var n int
		n, err = d.typeSome(ctx, strokes[done:], before)
		done += n
	}
	return done, err
}

// typeSome is Type for as many strokes as the spare keys allow.
func (d *Display) typeSome(ctx context.Context, strokes []Stroke, before func() error) (done int, err error) {
	var k keyboard
	if err := d.do(ctx, func() (err error) { k, err = d.keyboard(); return err }); err != nil {
		return 0, err
	}
	if strokes = k.lend(strokes); len(strokes) == 0 {
		return 0, errors.New("the keyboard has no key left for a character")
	}
	if len(k.lent) > 0 {
		defer func() {
			ctx := context.WithoutCancel(ctx) // else the keys would be missing
			_ = wait.Sleep(ctx, learn)
			err = cmp.Or(err, d.remap(ctx, k, func(xproto.Keysym) xproto.Keysym { return 0 }))
		}()
		if err := d.remap(ctx, k, func(sym xproto.Keysym) xproto.Keysym { return sym }); err != nil {
			return 0, err
		}
		if err := wait.Sleep(ctx, learn); err != nil {
			return 0, err
		}
	}
	for _, s := range strokes {
		if before != nil {
			if err := before(); err != nil {
				return done, err
			}
		}
		if err := d.do(ctx, func() error { return d.stroke(k, s) }); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// remap gives each lent key what it types.
func (d *Display) remap(ctx context.Context, k keyboard, types func(xproto.Keysym) xproto.Keysym) error {
	return d.do(ctx, func() (err error) {
		for sym, code := range k.lent {
			row := slices.Repeat([]xproto.Keysym{types(sym)}, k.per)
			err = cmp.Or(err, xproto.ChangeKeyboardMappingChecked(d.x, 1, code, byte(len(row)), row).Check())
		}
		return err
	})
}

// The keysyms of what is held.
const (
	symShift = 0xffe1
	symCtrl  = 0xffe3
	symAlt   = 0xffe9
)

// stroke presses a key with what is held, and releases all of it.
func (d *Display) stroke(k keyboard, s Stroke) (err error) {
	code, shift, ok := k.find(s.sym, k.layout)
	switch {
	case !ok:
		code = k.lent[s.sym]
	case k.capsLock && letter(s.sym):
		shift = !shift
	}
	var codes []xproto.Keycode
	for sym, held := range map[xproto.Keysym]bool{symCtrl: s.ctrl, symAlt: s.alt, symShift: s.shift || shift} {
		if !held {
			continue
		}
		c, _, ok := k.find(sym, 0)
		if !ok {
			return fmt.Errorf("the keyboard has no key %#x", uint32(sym))
		}
		codes = append(codes, c)
	}
	for _, c := range append(codes, code) {
		if err := d.fake(xproto.KeyPress, byte(c), image.Point{}); err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, d.fake(xproto.KeyRelease, byte(c), image.Point{})) }()
	}
	return nil
}

// letter reports whether Caps Lock changes a key.
func letter(sym xproto.Keysym) bool {
	switch {
	case sym >= 'a' && sym <= 'z', sym >= 'A' && sym <= 'Z':
		return true
	}
	return sym >= 0xc0 && sym <= 0xfe && sym != 0xd7 && sym != 0xf7 && sym != 0xdf // Latin 1 but for ×, ÷ and ß
}
