package desktoptest_test

import (
	"context"
	"fmt"
	"io"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// press is what the examples test: code that looks for a button and clicks it.
func press(ctx context.Context, d desktop.Desktop, button string) error {
	controls, err := desktop.UITree(ctx, d)
	if err != nil {
		return err
	}
	for _, c := range controls {
		if c.Name == button {
			_, err := desktop.Execute(ctx, d, desktop.Command{
				ToolName: desktop.ClickInput, Parameters: map[string]any{"id": c.ID, "name": c.Name},
			})
			return err
		}
	}
	return fmt.Errorf("no button %q", button)
}

// A test gives its t to New; an example has none.
func Example() {
	d := desktoptest.New(nil, &desktoptest.App{Root: "winword", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "7", Name: "Save", Type: "Button"}}})

	fmt.Println(press(context.Background(), d, "Save"))
	for _, e := range d.Log() {
		fmt.Println(e)
	}
	// Output:
	// <nil>
	// get_ui_tree {} in winword/report.docx: success
	// click_input {"id":"7","name":"Save"} in winword/report.docx: success
}

// The screen changes between the look and the click.
func ExampleDesktop_After() {
	word := &desktoptest.App{Root: "winword", Running: true, Controls: []desktop.Control{{ID: "7", Name: "Save"}}}
	d := desktoptest.New(nil, word)
	d.After(desktop.GetUITree, func(desktoptest.Call) { word.ChangeControl("7", func(now *desktop.Control) { now.Name = "Discard" }) }).Times(1)

	_ = press(context.Background(), d, "Save")
	fmt.Println(d.Calls(desktop.ClickInput)[0])
	// Output:
	// click_input {"id":"7","name":"Save"} in winword/1: failure: the control "7" is called "Discard", not "Save"
}

// The command takes effect and its answer is lost.
func ExampleRule_Late() {
	d := desktoptest.New(nil, &desktoptest.App{Root: "winword", Running: true, Controls: []desktop.Control{{ID: "7", Name: "Save"}}})
	d.Break(desktop.ClickInput, io.ErrUnexpectedEOF).Late().Times(1)

	fmt.Println(press(context.Background(), d, "Save"))
	fmt.Println("executed:", d.Calls(desktop.ClickInput)[0].Executed)
	// Output:
	// desktop: click_input: unexpected EOF
	// executed: true
}

// A dialog is a window with an Owner. The AppAgent of the owner's window gets its controls, and acts on them.
func ExampleApp_owner() {
	paint := &desktoptest.App{Root: "paint", Process: "wall", Title: "wall.png - Paint", Running: true}
	desk := desktoptest.New(nil, paint, &desktoptest.App{
		Owner: paint, Modal: true, Title: "Save changes?", Running: true,
		Controls: []desktop.Control{{ID: "yes", Name: "Yes", Type: "Button"}},
	})
	windows, err := desktop.Windows(context.Background(), desk)
	for _, w := range windows {
		fmt.Printf("%s %q, owner %q\n", w.ID, w.Title, w.Owner)
	}
	fmt.Println(err)
	// Output:
	// 1 "wall.png - Paint", owner ""
	// 2 "Save changes?", owner "1"
	// <nil>
}
