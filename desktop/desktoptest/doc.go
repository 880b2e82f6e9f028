// Package desktoptest has a desktop that lives in memory, for tests of agents.
// It has applications that a test scripts, it breaks in the ways in which real
// desktops break, and it remembers what it was asked to do.
//
//	d := desktoptest.New(t,
//		&desktoptest.App{Root: "winword", Process: "report.docx", Title: "report.docx - Word", Running: true},
//		&desktoptest.App{Root: "excel", LaunchDelay: 2 * time.Second})
//
// d is a [desktop.Desktop] and a [desktop.Scoper]: give it to an agent, let the
// agent run, and look at [Desktop.Actions] or [Desktop.Transcript] afterwards.
//
// # Applications
//
// An [App] is one window of one program. Two documents of a program are two
// Apps with the same Root and another Process. An App that is not Running can
// be launched; its window shows after LaunchDelay, at once when that is 0, never
// when it is negative. Windows have the ids "1", "2", … in the order of the
// Apps, unless an App names its own; a window that is closed and launched again
// has another id ("1-2"), as on a real desktop.
//
// Between the calls of an agent the test, or a hook (see below), changes what
// there is to see: [App.SetTitle], [App.Rename], [App.SetValue],
// [App.SetControls], [Desktop.Gone], [Desktop.Show].
//
// # Tools
//
// All the well-known commands of package desktop work. Clicking checks that
// the control is there, set_edit_text changes its value, a screenshot is a real
// PNG that changes when, and only when, the window changes. A desktop that can
// do less is made with [Desktop.Without] (no screenshots, no window list) and
// [Desktop.Plain] (no Scope).
//
// More tools are values of [Tool], with a schema, annotations, and a fixed
// result or a func. Those in App.Tools are offered where commands act on that
// App's window; those of [Desktop.AddTools] everywhere. Parameters are checked
// against the schema of their tool before it does anything, and a command that
// does not fit is answered with a failure: an agent should not have sent it.
//
// # Which window a command acts on
//
// Commands that are sent through [Desktop.Scope] act on that window, and on no
// other once it is closed. Commands that are sent to the Desktop itself act on
// the window that has the focus: the first App that is Running, then whichever
// was selected or launched last. When the focused window closes, no window has
// the focus.
//
// # Faults
//
//	d.Slow("click_input", time.Minute)                 // answers late; negative: never
//	d.Fail("click_input", "disabled").Times(1)         // the tool says no, once
//	d.Break("", io.ErrUnexpectedEOF).Skip(3)           // any tool: the transport breaks, from the fourth call on
//	d.Break("click_input", nil).Late()                 // it is done, but the answer is lost
//	d.Lie("click_input", desktop.TextResult("clicked")) // says so without doing so
//	d.Panic("get_ui_tree", "out of handles")           // the implementation panics
//	d.On("run_shell", run)                             // anything else
//	d.Gone(app)                                        // the window is not there any more
//	d.After("get_ui_tree", rename).Times(1)            // changes the screen behind the agent's back
//
// Each returns a [Rule], which narrows the fault: how often ([Rule.Times]),
// from when on ([Rule.Skip]), in which App ([Rule.In]), and whether the fault
// comes after the command was carried out ([Rule.Late]). Of several rules for
// one call the oldest that still applies decides, so that rules with Times are
// a script in their order; delays and hooks come on top of it. [Desktop.Heal]
// ends them.
//
// # What was executed
//
// [Desktop.Log] has every command that reached the desktop, in the order in
// which they came, with the window, the result and whether the application
// carried it out. It has no times and no random ids, so that it can be compared.
// [Desktop.Actions] leaves out what only looks, [Desktop.Count] counts one
// tool, [Desktop.Transcript] is one line of text per command.
//
// # Time
//
// Nothing here sleeps but slow tools and wait, which honour their context, and
// no goroutine is started. Windows that take a while to show go by the clock,
// so that all of it works, and takes no time, in a bubble of testing/synctest.
//
// # Concurrency
//
// Everything may be called by several goroutines. The funcs of tools, rules
// and hooks run without a lock held and may call the Desktop and its Apps;
// those of concurrent commands run concurrently.
package desktoptest
