package desktop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// onScreen is an App, and what is known of the window that its Desktop has itself.
type onScreen struct {
	App

	mu       sync.Mutex
	now      Window // as it is listed
	own      Window // the Desktop's, as it was seen last; its ID is empty before
	instance int    // counts those that were seen, from 1
}

// window returns the window as it is listed, and which instance that is.
func (a *onScreen) window() (Window, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now, a.instance
}

// saw notes which window the Desktop has, seen while instance was the last one; 0 is
// whichever is. Another one than before makes the App's window another. It returns
// which instance there is by now.
func (a *onScreen) saw(s *screen, own Window, instance int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case instance != 0 && instance != a.instance: // whoever asked is narrowed to an old one
		return a.instance
	case a.own.ID == "" || sameWindow(a.own, own):
	default:
		a.next(s)
	}
	a.own = own
	return a.instance
}

// gone notes that the Desktop's window was closed, which whoever is narrowed to an instance was told.
// What is there instead, now or later, is another one.
func (a *onScreen) gone(s *screen, instance int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if instance == a.instance {
		a.next(s)
		a.own = Window{}
	}
}

// next makes the App's window another. a.mu is held.
func (a *onScreen) next(s *screen) {
	a.instance++
	for s.has(a.Window.Root, a.process()) {
		a.instance++
	}
	a.now.Process = a.process()
}

func (a *onScreen) process() string { return fmt.Sprintf("%s.%d", a.Window.Process, a.instance) }

// has reports whether an App was given that Root and Process.
func (s *screen) has(root, process string) bool {
	return slices.ContainsFunc(s.apps, func(a *onScreen) bool { return a.Window.Root == root && a.Window.Process == process })
}

// sameWindow compares windows as far as both are described; titles change.
func sameWindow(a, b Window) bool {
	return (b.ID == "" || a.ID == b.ID) && (b.Root == "" || a.Root == b.Root) && (b.Process == "" || a.Process == b.Process)
}

// narrow returns the tools of an App, narrowed to its own window where it has exactly
// one. A Desktop that cannot say which it has is taken as it is: its commands will say
// what is wrong with it.
func (s *screen) narrow(ctx context.Context, app *onScreen) (Desktop, error) {
	o := &inWindow{screen: s, app: app, desktop: app.Desktop}
	scoper, ok := app.Desktop.(Scoper)
	if !ok {
		return o, nil
	}
	own, alone := onlyWindow(ctx, app.Desktop)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !alone:
		return o, nil
	}
	var err error
	if o.desktop, err = scoper.Scope(ctx, own.ID); err == nil && o.desktop == nil {
		err = errNoDesktop
	}
	if err != nil {
		return nil, err
	}
	o.narrowed, o.own, o.instance = true, own.ID, app.saw(s, own, 0)
	return o, nil
}

func onlyWindow(ctx context.Context, d Desktop) (w Window, alone bool) {
	list, err := Windows(apart(ctx), d)
	list = slices.DeleteFunc(list, func(w Window) bool { return w.Owner != "" }) // they are part of their owner
	if err != nil || len(list) != 1 {
		return Window{}, false
	}
	return list[0], true
}

// appWindow is get_app_window.
func (o *inWindow) appWindow(ctx context.Context) (Result, error) {
	w, instance := o.app.window()
	switch {
	case o.narrowed && instance != o.instance:
		return o.closed(), nil
	case !o.narrowed && !o.tells.Load():
		return JSONResult([]Window{w})
	}
	own, owned, err := AppWindow(apart(ctx), o.desktop)
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case errors.Is(err, ErrWindowGone):
		o.lose()
		return Result{Status: Failure, Error: err.Error(), Gone: true}, nil
	case err != nil:
		return JSONResult([]Window{w})
	}
	if o.narrowed && o.app.saw(o.screen, own, o.instance) != o.instance {
		return o.closed(), nil
	}
	w.Dialog, w.Focus = own.Dialog, own.Focus
	// Other windows of the screen may have the ids that the App gives to its dialogs.
	ids := map[string]string{own.ID: w.ID}
	for i := range owned {
		o := &owned[i]
		ids[o.ID] = w.ID + "/" + o.ID
		o.ID, o.Owner = ids[o.ID], ids[o.Owner]
	}
	if id, ok := ids[w.Dialog]; ok {
		w.Dialog = id
	}
	return JSONResult(append([]Window{w}, owned...))
}

// closed says that the window which o is narrowed to was closed.
func (o *inWindow) closed() Result {
	return Result{Status: Failure, Error: fmt.Sprintf("the window %q was closed", clip(o.app.Window.ID)), Gone: true}
}

// lose notes that the App said so itself.
func (o *inWindow) lose() {
	if o.narrowed {
		o.app.gone(o.screen, o.instance)
	}
}

// apart returns a context for what a screen asks an App by itself: interceptors do
// not see that.
func apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, interceptorKey{}, nil)
}
