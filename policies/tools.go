package policies

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/spelling"
)

// ReadOnly allows tools that say of themselves that they only read, and denies the others. A tool is not taken at its
// word when it also says that it is destructive, or when its name says so (see [AskDestructive]). Of the well-known
// commands a screenshot that is kept in a file is denied as well, and select_application_window is allowed: it changes
// no more than which window is in front, and a host could assign nothing without it.
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
		if word := destructive(cmd.ToolName, nil, nil); word != "" {
			return deny("the tool " + name + " is marked as read-only, but its name says " + quote(word))
		}
		if keepsScreenshot(cmd) {
			return deny("the screenshot would be written to a file")
		}
		return allow
	}
}

// Tools allows the tools of these names, letter by letter, and denies the others. A host needs
// select_application_window among them to assign anything on a desktop that has it.
func Tools(names ...string) Func {
	names = slices.Clone(names)
	return func(_ context.Context, _ desktop.Tool, cmd desktop.Command) Verdict {
		if slices.Contains(names, cmd.ToolName) {
			return allow
		}
		return deny("the tool " + quote(cmd.ToolName) + " is not on the list of tools")
	}
}

// AskDestructive asks about what may destroy something or cannot be taken back, and allows everything else. It asks
// about a tool that is marked as destructive, a shell command, the start of a program, a screenshot in a file, a tool
// or a control whose name has a word such as delete, send or pay, a tool whose name says that it changes settings or
// permissions, a click, a text or keys for a control that nobody has seen, and any other tool that names a control
// which its agent was not shown. words are further words, of another language for instance.
//
// The name of a control is what the desktop shows ([ControlOf]); of a drag both controls count ([DropPath]). Keys such
// as {ENTER}, which press what has the input focus, are judged by that control where an AppAgent sees it; others are
// not. Annotations are hints of whoever wrote the tool: see [Distrust]. In [All] nothing takes a question back: see
// [Except]. The guide docs/guides/approvals.md says how names are read.
func AskDestructive(words ...string) Func {
	extra := map[string]bool{}
	for _, text := range words {
		for _, word := range spelling.Words(text) {
			extra[word] = true
		}
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		return askAbout(ctx, tool, cmd, extra, true)
	}
}

// askAbout asks about what is to be feared. unseen: also about controls that nobody has seen.
func askAbout(ctx context.Context, tool desktop.Tool, cmd desktop.Command, extra map[string]bool, unseen bool) Verdict {
	reason := frightens(tool, cmd, extra)
	if reason == "" {
		var blind bool
		if reason, blind = touches(ctx, tool, cmd, extra); reason == "" && blind && unseen {
			reason = "the control is not known"
		}
	}
	if reason == "" {
		return allow
	}
	return Verdict{Action: Confirm, Reason: reason}
}

// frightens says what is to be feared of a tool; "": nothing.
func frightens(tool desktop.Tool, cmd desktop.Command, extra map[string]bool) string {
	switch {
	case cmd.ToolName == desktop.RunShell:
		return "it is a shell command"
	case cmd.ToolName == desktop.LaunchApplication:
		return "it starts a program"
	case keepsScreenshot(cmd):
		return "it writes a file"
	case tool.Annotations.DestructiveHint:
		return "the tool is marked as destructive"
	}
	var things map[string]bool
	if reads(cmd.ToolName) {
		things = thingWords
	}
	if word := cmp.Or(destructive(cmd.ToolName, extra, things), configures(tool, cmd.ToolName)); word != "" {
		return "the name of the tool " + quote(cmd.ToolName) + " says " + quote(word)
	}
	return ""
}

// touches says what is to be feared of the control that a command is aimed at, or of the dialog
// that it is in; of a drag also of the control where it ends. blind: nobody has seen one of them.
func touches(ctx context.Context, tool desktop.Tool, cmd desktop.Command, extra map[string]bool) (reason string, blind bool) {
	if tool.Annotations.ReadOnlyHint || cmd.ToolName == desktop.WheelMouseInput {
		return "", false
	}
	control, seen := ControlOf(ctx)
	names, paths := []string{control.Name}, [][]desktop.Control{ControlPath(ctx)}
	aim := commands.AimOf(ctx)
	if focus := aim.Pressed; len(focus) > 0 {
		names, paths = append(names, focus[len(focus)-1].Name), append(paths, focus)
	}
	switch cmd.ToolName {
	case desktop.ClickInput, desktop.DoubleClick, desktop.SetEditText:
		said, _ := cmd.Parameters["name"].(string)
		names, blind = append(names, said), !seen
	case desktop.ClickOnCoordinates:
		blind = !seen
	case desktop.DragOnCoordinates:
		drop := DropPath(ctx)
		if len(drop) > 0 {
			names, paths = append(names, drop[len(drop)-1].Name), append(paths, drop)
		}
		blind = !seen || len(drop) == 0
	case desktop.SelectMenu:
		names = append(names, menuEntries(cmd)...)
	case desktop.KeyboardInput:
		blind = !seen && cmd.Parameters["id"] != nil
	}
	blind = blind || aim.Unseen
	for _, path := range paths {
		names = append(names, pressed(path)...)
	}
	for _, name := range names {
		if word := destructive(name, extra, nil); word != "" {
			return "the name of the control " + quoteOf(tool, cmd, name, name) + " says " + quote(word), blind
		}
	}
	for _, path := range paths {
		if dialog, ok := commands.Dialog(path); ok && !leavingWords[strings.ToLower(path[len(path)-1].Name)] {
			if word := asks(dialog.Name, extra); word != "" {
				return "the dialog " + quote(dialog.Name) + " says " + quote(word), blind
			}
		}
	}
	return "", blind
}

// pressed are the names of the buttons that a control is a part of: who clicks on the icon of a
// button presses the button. One without a name is called what its parts are called.
func pressed(path []desktop.Control) (names []string) {
	for i := len(path) - 1; i >= 0 && (i == len(path)-1 || !commands.IsDialog(path[i])); i-- {
		if commands.IsButton(path[i]) {
			names = append(names, path[i].Name)
			if len(spelling.Words(path[i].Name)) == 0 {
				names = append(names, commands.Texts(path[i].Children)...)
			}
		}
	}
	return names
}

// asks returns the word in a dialog's title that says what a yes destroys; "" for none. A thing counts where a question
// begins with it: "Format disk C:?" asks for it, "Keep the format?" and the form "Format cells" do not.
func asks(title string, extra map[string]bool) string {
	if first, _, _ := strings.Cut(strings.TrimSpace(title), " "); strings.Contains(title, "?") {
		if word := destructive(first, extra, nil); word != "" {
			return word
		}
	}
	return destructive(title, extra, thingWords)
}

// leavingWords are on the buttons that do not do what a dialog asks about.
var leavingWords = setOf("abort", "back", "cancel", "close", "no", "not now")

func menuEntries(cmd desktop.Command) (names []string) {
	path, _ := cmd.Parameters["path"].([]any)
	for _, step := range path {
		if name, ok := step.(string); ok {
			names = append(names, name)
		}
	}
	return names
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

// destructive returns the first word in a name that says that something is lost, sent
// or paid and is not one of things; "" for none.
func destructive(name string, extra, things map[string]bool) string {
	for spelt := range written(name) {
		word := strings.ToLower(spelt)
		shortest := len(word)
		if !strings.ContainsFunc(spelt, hasUpper) && spelt != word {
			shortest = min(3, len(word)) // capitals do not show where the next word begins: DELETEALL
		}
		for end := len(word); end >= shortest; end-- {
			if known := word[:end]; destructiveWords[known] && !things[known] || extra[known] {
				return known
			}
		}
	}
	return ""
}

// written are the words of a name, and those that a letter of no width takes apart: who wrote it may mean
// one word or two.
func written(name string) iter.Seq[string] {
	if apart := spelling.Apart(name); apart != name {
		name += " " + apart
	}
	return spelling.Written(name)
}

func hasUpper(r rune) bool { return unicode.ToUpper(r) != r }

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

// configures returns the word in a tool's name that says that it changes how a system is set up; "" for none, and for
// one that reads. A control with such a name mostly opens a page: it does not count.
func configures(tool desktop.Tool, name string) string {
	if tool.Annotations.ReadOnlyHint {
		return ""
	}
	for spelt := range written(name) {
		if word := strings.ToLower(spelt); settingWords[word] && !reads(name) {
			return word
		}
	}
	return ""
}

// reads reports whether a tool's name begins as that of one which reads, such as list_orders.
func reads(name string) bool {
	for first := range spelling.Written(name) {
		return readingWords[strings.ToLower(first)]
	}
	return false
}

var (
	settingWords = setOf("chmod", "chown", "config", "configuration", "configure", "permission", "permissions", "policy", "privilege",
		"privileges", "registry", "setting", "settings", "sudo")
	// thingWords are destructive words that are things, too: read_mail sends none.
	thingWords   = setOf("charge", "email", "empty", "format", "mail", "order", "post", "purchase", "refund", "reply", "share", "sign", "transfer", "trash", "upload")
	readingWords = setOf("check", "describe", "find", "get", "list", "query", "read", "search", "show", "view")
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
