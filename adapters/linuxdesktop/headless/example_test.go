package headless_test

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

// An editor runs on a desktop of its own, and ends with it.
func Example() {
	ctx := context.Background()
	if err := headless.Missing("mousepad"); err != nil {
		fmt.Println(err) // such as: headless: not installed: Xvfb (Debian: apt-get install xvfb)
		return
	}
	s, err := headless.Start(ctx, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = s.Close() }()
	editor := exec.CommandContext(ctx, "mousepad", "letter.txt")
	editor.Env, editor.Dir = s.Env, s.Dir
	if err := editor.Start(); err != nil {
		panic(err)
	}
	fmt.Println("the editor is on", s.Display) // a Desktop for s.Display and s.Bus sees it
}
