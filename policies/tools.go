package policies

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/spelling"
)

// ReadOnly allows tools that say of themselves that they only read, and denies
// the others. A tool is not taken at its word when it also says that it is
// destructive, or when its name says so (see [AskDestructive]). Of the well-known
// commands a screenshot that is kept in a file is denied as well, and
// select_application_window is allowed: it changes no more than which window is
// in front, and a host could assign nothing without it.
func ReadOnly() Func {
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		name := quote(cmd.ToolName)
		if cmd.ToolName == desktop.SelectApplicationWindow && !tool.Annotations.DestructiveHint {
			return allow
		}
		if !tool.Annotations.ReadOnlyHint {
			return deny("the tool " + name + " is not marked as read-only")
		}
		if tool.Annotations.DestructiveHint {
			return deny("the tool " + name + " is marked as read-only and as destructive")
		}
		if word := destructive(cmd.ToolName, nil); word != "" {
			return deny("the tool " + name + " is marked as read-only, but its name says " + quote(word))
		}
		if keepsScreenshot(cmd) {
			return deny("the screenshot would be written to a file")
		}
		return allow
	}
}

// Tools allows the tools of these names, letter by letter, and denies the others.
// A host needs select_application_window among them to assign anything on a
// desktop that has it.
func Tools(names ...string) Func {
	names = slices.Clone(names)
	return func(_ context.Context, _ desktop.Tool, cmd desktop.Command) Verdict {
		if slices.Contains(names, cmd.ToolName) {
			return allow
		}
		return deny("the tool " + quote(cmd.ToolName) + " is not on the list of tools")
	}
}

// AskDestructive asks about what may destroy something or cannot be taken back, and allows
// everything else. It asks about a tool that is marked as destructive, a shell command, the
// start of a program, a screenshot in a file, a tool or a control whose name has a word such
// as delete, send or pay, and a click, a text or keys for a control that nobody has seen. words
// are further words, of another language for instance.
//
// The name of a control is what the desktop shows ([ControlOf]). Keys that go where the input
// focus is are not seen. Annotations are hints of whoever wrote the tool: see [Distrust]. In
// [All] nothing takes a question back: see [Except]. The guide docs/guides/approvals.md says
// how names are read.
func AskDestructive(words ...string) Func {
	extra := map[string]bool{}
	for _, text := range words {
		for _, word := range spelling.Words(text) {
			extra[word] = true
		}
	}
	ask := func(reason string) Verdict {
		return Verdict{Action: Confirm, Reason: reason}
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if cmd.ToolName == desktop.RunShell {
			return ask("it is a shell command")
		}
		if cmd.ToolName == desktop.LaunchApplication {
			return ask("it starts a program")
		}
		if keepsScreenshot(cmd) {
			return ask("it writes a file")
		}
		if tool.Annotations.DestructiveHint {
			return ask("the tool " + quote(cmd.ToolName) + " is marked as destructive")
		}
		if word := destructive(cmd.ToolName, extra); word != "" {
			return ask("the name of the tool " + quote(cmd.ToolName) + " says " + quote(word))
		}
		if reason := touches(ctx, tool, cmd, extra); reason != "" {
			return ask(reason)
		}
		return allow
	}
}

// touches says what is to be feared of the control that a command is aimed at.
func touches(ctx context.Context, tool desktop.Tool, cmd desktop.Command, extra map[string]bool) string {
	if tool.Annotations.ReadOnlyHint || cmd.ToolName == desktop.WheelMouseInput {
		return ""
	}
	control, seen := ControlOf(ctx)
	names := []string{control.Name}
	blind := false
	switch cmd.ToolName {
	case desktop.ClickInput, desktop.SetEditText:
		said, _ := cmd.Parameters["name"].(string)
		names, blind = append(names, said), !seen
	case desktop.KeyboardInput:
		blind = !seen && cmd.Parameters["id"] != nil
	}
	for _, name := range names {
		if word := destructive(name, extra); word != "" {
			return "the name of the control " + quoteOf(tool, cmd, name, name) + " says " + quote(word)
		}
	}
	if blind {
		return "nobody has seen which control that is"
	}
	return ""
}

// keepsScreenshot reports whether a picture is also written to a file.
func keepsScreenshot(cmd desktop.Command) bool {
	if !takesScreenshot(cmd) {
		return false
	}
	path, given := cmd.Parameters["save_path"]
	return given && path != "" && path != nil
}

func takesScreenshot(cmd desktop.Command) bool {
	return cmd.ToolName == desktop.CaptureDesktopScreenshot || cmd.ToolName == desktop.CaptureWindowScreenshot
}

// destructive returns the word in a name that says that something is lost, sent
// or paid; "" for none.
func destructive(name string, extra map[string]bool) string {
	for _, written := range spelling.Written(name) {
		word := strings.ToLower(written)
		shortest := len(word)
		if written == strings.ToUpper(written) && written != word {
			shortest = min(3, len(word)) // capitals do not show where the next word begins: DELETEALL
		}
		for end := len(word); end >= shortest; end-- {
			if known := word[:end]; destructiveWords[known] || extra[known] {
				return known
			}
		}
	}
	return ""
}

var destructiveWords = setOf(
	// What is gone.
	"clear", "delete", "deletes", "discard", "drop", "empty", "erase", "expunge", "format", "kill", "overwrite", "purge", "remove",
	"removes", "reset", "revoke", "rm", "rmdir", "shred", "terminate", "trash", "truncate", "uninstall", "unlink", "wipe",
	// What others get.
	"broadcast", "email", "forward", "invite", "mail", "post", "publish", "reply", "send", "share", "submit", "tweet", "upload",
	// What costs, or binds.
	"buy", "charge", "checkout", "donate", "order", "pay", "purchase", "refund", "sell", "sign", "subscribe", "transfer", "withdraw",
	// What changes a system, or runs anything.
	"deploy", "eval", "exec", "execute", "install", "merge", "reboot", "restart", "shell", "shutdown",
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
