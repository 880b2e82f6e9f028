package linuxdesktop_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Screen starts a screen that nobody sees, and connects to it.
func Screen(ctx context.Context) (d *linuxdesktop.Desktop, end func() error, err error) {
	s, err := headless.Start(ctx, nil)
	if err != nil {
		return nil, nil, err // such as: not installed: Xvfb (package xvfb)
	}
	d, err = linuxdesktop.Open(ctx, linuxdesktop.Options{Display: s.Display, Bus: s.Bus, Env: s.Env})
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return d, func() error { return errors.Join(d.Close(), s.Close()) }, nil
}

// A button is judged with the dialog that it is in.
func ExamplePolicy() {
	policy := linuxdesktop.Policy(&linuxdesktop.PolicyOptions{
		Allow: []linuxdesktop.Choice{{Dialog: "Save", Control: "Save"}},
	})
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "14.221"}}
	for _, dialog := range []string{"Save", "Question"} {
		ctx := policies.WithControl(context.Background(),
			desktop.Control{ID: "0x1400021", Type: "Dialog", Name: dialog},
			desktop.Control{ID: "14.221", Type: "push button", Name: "Save"})
		v := policy(ctx, desktop.Tool{Name: desktop.ClickInput}, click)
		fmt.Println(cmp.Or(v.Reason, "allowed"))
	}
	// Output:
	// allowed
	// nobody knows what the push button "Save" of the dialog "Question" does
}
