package linuxdesktop

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// front raises a window and gives it the keyboard.
func (c *call) front(ctx context.Context, w x11.Window) error {
	const tries, patience = 3, 700 * time.Millisecond
	for range tries { // a window manager may be busy with another
		if err := c.x.Activate(ctx, w.ID); err != nil {
			return err
		}
		ok, err := wait.Until(ctx, patience, 10*time.Millisecond, func() (bool, error) {
			active, err := c.x.Active(ctx)
			return active == w.ID, err
		})
		if ok || err != nil {
			return err
		}
	}
	if s, err := c.look(ctx); err != nil {
		return err
	} else if _, there := s.window(w.ID); !there {
		return errWindowClosed
	}
	return refuse("the window %q does not get the input focus", clip(w.Title, maxName))
}

// Uncovered refuses a point of a window that something lies over.
func (c *call) Uncovered(ctx context.Context, at image.Point, w x11.Window) error {
	over, err := c.x.At(ctx, at)
	switch {
	case err != nil:
		return err
	case over.ID == w.ID, over.ID == 0 && over.PID == w.PID && w.PID != 0: // or a menu or a list of the program
		return nil
	case over.Title != "":
		return refuse("the window %q lies over it", clip(over.Title, maxName))
	}
	return refuse("something lies over it that is no window of the program: a menu, a notification, or a locked screen")
}

// unlocked refuses a window that something lies over which is no window, such as what locks the screen: keys would go there.
func (c *call) unlocked(ctx context.Context, w x11.Window) error {
	over, err := c.x.At(ctx, middle(w.Bounds))
	if err == nil && over.ID == 0 && over.PID != w.PID {
		err = refuse("something lies over the window that is none of the program's, perhaps a locked screen")
	}
	return err
}

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Size().Div(2)) }

// Act calls did, which uses the pointer or the keyboard, and returns its result. did describes what it did. Its error says
// that it did only a part.
func (c *call) Act(ctx context.Context, w x11.Window, did func() (string, error)) (desktop.Result, error) {
	if err := c.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer c.unlock()
	if err := c.front(ctx, w); err != nil {
		return desktop.Result{}, err
	}
	if err := c.unlocked(ctx, w); err != nil {
		return desktop.Result{}, err
	}
	before, err := c.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	was, err := c.x.Picture(ctx, w.Bounds)
	if err != nil {
		return desktop.Result{}, err
	}
	what, err := did()
	if err != nil {
		return desktop.Result{}, err
	}
	after, err := c.settle(ctx, w)
	if err != nil {
		return desktop.Result{}, &screen.HalfDoneError{What: what + "; what became of it was not seen", Err: err}
	}
	res := desktop.TextResult(strings.Join(append([]string{what}, changes(before, after)...), "; "))
	if len(changes(before.of(w.PID), after.of(w.PID))) > 0 {
		return res, nil
	}
	const drawn = 600 * time.Millisecond // a busy program takes longer to draw than to answer
	changed, err := wait.Until(ctx, drawn, screen.Pause, func() (bool, error) {
		is, err := c.x.Picture(ctx, w.Bounds)
		return err == nil && differ(was, is), err
	})
	if err != nil || !changed {
		res.Unverified = what + ", and nothing of the window changed"
	}
	return res, nil
}

// differ reports whether two pictures show something else. A cursor that blinks is nothing.
func differ(a, b *image.RGBA) bool {
	const cursor, pixel = 4, 4 // how wide it is, and how many bytes a pixel has
	if a.Rect != b.Rect {
		return true
	}
	left, right := a.Stride, 0
	for i := 0; i < len(a.Pix); i += pixel {
		if !bytes.Equal(a.Pix[i:i+pixel], b.Pix[i:i+pixel]) {
			x := i % a.Stride
			left, right = min(left, x), max(right, x)
		}
	}
	return right-left >= cursor*pixel
}

// changes says which windows came and went.
func changes(before, after scene) (list []string) {
	for _, w := range after {
		if was, ok := before.window(w.ID); !ok {
			list = append(list, fmt.Sprintf("a window %q opened", clip(w.Title, maxName)))
		} else if was.Title != w.Title {
			list = append(list, fmt.Sprintf("the window %q is called %q now", clip(was.Title, maxName), clip(w.Title, maxName)))
		}
	}
	for _, w := range before {
		if _, ok := after.window(w.ID); !ok {
			list = append(list, fmt.Sprintf("the window %q closed", clip(w.Title, maxName)))
		}
	}
	return list
}

// settle waits until the windows stay as they are, and the program has answered, so that it has handled what was sent before.
func (c *call) settle(ctx context.Context, w x11.Window) (s scene, err error) {
	const looks = 3 // in a row that find the same windows
	same := 0
	var last scene
	_, err = wait.Until(ctx, screen.Settle, screen.Pause, func() (bool, error) {
		if s, err = c.look(ctx); err != nil {
			return false, err
		}
		if ref, ok := c.knownFrame(w.ID); ok {
			_, _ = c.tree.States(ctx, ref) // it answers, or not within its deadline
		}
		if same++; !slices.Equal(s, last) {
			same = 0
		}
		last = s
		return same >= looks, nil
	})
	return s, err
}
