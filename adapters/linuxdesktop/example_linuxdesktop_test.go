package linuxdesktop_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// Work lets agents work with an editor, on a screen that nobody sees. Files are opened and saved in dir.
func Work(ctx context.Context, model llm.Model, user people.User, dir, request string) (res round.Result, err error) {
	screen, err := headless.Start(ctx, nil) // a display, a bus and a window manager
	if err != nil {
		return res, err // one line that says what is not installed
	}
	defer func() { err = errors.Join(err, screen.Close()) }()
	// A program is named as its windows are: by their WM_CLASS, which xprop shows, in small letters.
	programs := map[string][]string{"mousepad": {"mousepad", "--disable-server"}}
	d, err := linuxdesktop.Open(ctx, linuxdesktop.Options{
		Display: screen.Display, Bus: screen.Bus, Env: screen.Env, Dir: dir, Programs: programs,
	})
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: d, User: user,
			Policy: linuxdesktop.Policy(&linuxdesktop.PolicyOptions{Programs: programs}),
		},
		Apps: []hostagent.Program{{Name: "mousepad"}},
	})
	if err != nil {
		return res, err
	}
	r, err := round.New(host, request, nil)
	if err != nil {
		return res, err
	}
	return r.Run(ctx)
}

// OwnScreen connects to the screen of whoever runs the program.
func OwnScreen(ctx context.Context) (*linuxdesktop.Desktop, error) {
	return linuxdesktop.Open(ctx, linuxdesktop.Options{
		Display: os.Getenv("DISPLAY"), Bus: os.Getenv("DBUS_SESSION_BUS_ADDRESS"),
	})
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
