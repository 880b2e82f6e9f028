package x11

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
)

// keymap says which key types what: per keysyms for each key, of which the first two are those
// of the first layout, without and with Shift, and the next two those of the second.
type keymap struct {
	first xproto.Keycode
	per   int
	syms  []xproto.Keysym
}

func (d *Display) readKeymap() (keymap, error) {
	first := d.setup.MinKeycode
	m, err := xproto.GetKeyboardMapping(d.x, first, byte(d.setup.MaxKeycode-first)+1).Reply()
	if err != nil {
		return keymap{}, err
	}
	if m.KeysymsPerKeycode == 0 {
		return keymap{}, errors.New("the keyboard has no keys")
	}
	return keymap{first: first, per: int(m.KeysymsPerKeycode), syms: m.Keysyms}, nil
}

// find returns the key of a keysym in a layout, and whether Shift is needed.
func (m keymap) find(sym xproto.Keysym, layout int) (code xproto.Keycode, shift, ok bool) {
	for level := range 2 {
		column := 2*layout + level
		if column >= m.per {
			return 0, false, false
		}
		for i := 0; i+column < len(m.syms); i += m.per {
			if m.syms[i+column] == sym {
				return m.first + xproto.Keycode(i/m.per), level == 1, true
			}
		}
	}
	return 0, false, false
}

// spare returns the keys that type nothing, the last first, and behind them those that a process has lent and not taken
// back because it was killed.
func (m keymap) spare() (free []xproto.Keycode) {
	var lost []xproto.Keycode
	for i := len(m.syms)/m.per - 1; i >= 0; i-- {
		code := m.first + xproto.Keycode(i)
		switch row := m.syms[i*m.per : (i+1)*m.per]; {
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
	if len(row) < 2 || row[0] != row[1] || row[0] < 0xa0 || row[0] >= 0xf000 && row[0] < 0x01000000 {
		return false
	}
	return !slices.ContainsFunc(row, func(sym xproto.Keysym) bool { return sym != 0 && sym != row[0] })
}

// keyboard is what is known of the keyboard while something is typed.
type keyboard struct {
	keymap
	layout   int
	capsLock bool
}

// keyboard reads which layout is chosen, and the keys again if another program has changed them.
func (d *Display) keyboard() (keyboard, error) {
	d.mu.Lock()
	k, stale := keyboard{keymap: d.keys}, d.stale
	d.stale = false
	d.mu.Unlock()
	if stale {
		m, err := d.readKeymap()
		if err != nil {
			return keyboard{}, err
		}
		d.mu.Lock()
		d.keys = m
		d.mu.Unlock()
		k.keymap = m
	}
	p, err := xproto.QueryPointer(d.x, d.root).Reply()
	if err != nil {
		return keyboard{}, err
	}
	k.layout = int(p.Mask>>13) & 3 // as the XKB extension writes it there
	k.capsLock = p.Mask&xproto.ModMaskLock != 0
	return k, nil
}

// Letters without a key are put on spare ones. Programs need a moment to learn of that, and to
// read what was typed before the keys are taken away again.
const learn = 60 * time.Millisecond

// Type presses keys one after another and returns how many it did. before, which may be nil, is
// called in front of each; its error ends Type. No key stays pressed.
func (d *Display) Type(ctx context.Context, strokes []Stroke, before func() error) (done int, err error) {
	for done < len(strokes) {
		var k keyboard
		if err := d.do(ctx, func() (err error) { k, err = d.keyboard(); return err }); err != nil {
			return done, err
		}
		n, lent, err := d.lend(ctx, k, strokes[done:])
		if err == nil {
			var typed int
			typed, err = d.typeRow(ctx, k, lent, strokes[done:done+n], before)
			done += typed
		}
		if e := d.takeBack(ctx, k, lent); err == nil {
			err = e
		}
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func (d *Display) typeRow(ctx context.Context, k keyboard, lent map[xproto.Keysym]xproto.Keycode, row []Stroke, before func() error) (done int, err error) {
	for _, s := range row {
		if before != nil {
			if err := before(); err != nil {
				return done, err
			}
		}
		if err := d.do(ctx, func() error { return d.stroke(k, lent, s) }); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// lend puts letters without a key on spare keys, for as many strokes as they last.
func (d *Display) lend(ctx context.Context, k keyboard, strokes []Stroke) (n int, lent map[xproto.Keysym]xproto.Keycode, err error) {
	free := k.spare()
	lent = map[xproto.Keysym]xproto.Keycode{}
	for _, s := range strokes {
		if _, _, ok := k.find(s.sym, k.layout); !ok && lent[s.sym] == 0 {
			if len(lent) == len(free) {
				break
			}
			lent[s.sym] = free[len(lent)]
		}
		n++
	}
	if n == 0 {
		return 0, nil, errors.New("the keyboard has no key left for a character")
	}
	if len(lent) == 0 {
		return n, lent, nil
	}
	for sym, code := range lent {
		row := make([]xproto.Keysym, k.per)
		for i := range row {
			row[i] = sym
		}
		if err := d.do(ctx, func() error { return d.remap(code, row) }); err != nil {
			return 0, lent, err
		}
	}
	return n, lent, wait.Sleep(ctx, learn)
}

// takeBack makes lent keys spare again, also when ctx is done: else they would be missing.
func (d *Display) takeBack(ctx context.Context, k keyboard, lent map[xproto.Keysym]xproto.Keycode) error {
	if len(lent) == 0 {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	_ = wait.Sleep(ctx, learn) // it never ends early
	var first error
	for _, code := range lent {
		err := d.do(ctx, func() error { return d.remap(code, make([]xproto.Keysym, k.per)) })
		if first == nil {
			first = err
		}
	}
	return first
}

func (d *Display) remap(code xproto.Keycode, row []xproto.Keysym) error {
	return xproto.ChangeKeyboardMappingChecked(d.x, 1, code, byte(len(row)), row).Check()
}

// The keysyms of what is held.
const (
	symShift = 0xffe1
	symCtrl  = 0xffe3
	symAlt   = 0xffe9
)

// stroke presses a key with what is held, and releases all of it.
func (d *Display) stroke(k keyboard, lent map[xproto.Keysym]xproto.Keycode, s Stroke) (err error) {
	code, shift := lent[s.sym], false
	if code == 0 {
		var ok bool
		if code, shift, ok = k.find(s.sym, k.layout); !ok {
			return fmt.Errorf("the keyboard has no key %#x", uint32(s.sym))
		}
		if k.capsLock && letter(s.sym) {
			shift = !shift
		}
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
	pressed := 0
	for _, c := range append(codes, code) {
		if err = d.fake(xproto.KeyPress, byte(c), image.Point{}); err != nil {
			break
		}
		pressed++
	}
	for _, c := range slices.Backward(append(codes, code)[:pressed]) {
		if e := d.fake(xproto.KeyRelease, byte(c), image.Point{}); err == nil {
			err = e
		}
	}
	return err
}

// letter reports whether Caps Lock changes a key.
func letter(sym xproto.Keysym) bool {
	switch {
	case sym >= 'a' && sym <= 'z', sym >= 'A' && sym <= 'Z':
		return true
	}
	return sym >= 0xc0 && sym <= 0xfe && sym != 0xd7 && sym != 0xf7 && sym != 0xdf // Latin 1 but for ×, ÷ and ß
}
