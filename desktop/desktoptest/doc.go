// Package desktoptest has a desktop that lives in memory, for tests of agents,
// and [Run], the test of those who implement a desktop.
//
// # A desktop in memory
//
//	d := desktoptest.New(t,
//		&desktoptest.App{Root: "winword", Process: "report.docx", Title: "report.docx - Word", Running: true},
//		&desktoptest.App{Root: "excel", LaunchDelay: 2 * time.Second})
//
// d is a [desktop.Desktop] and a [desktop.Scoper]: give it to an agent, let the
// agent run, and look at [Desktop.Actions] or [Desktop.Log] afterwards. An
// [Entry] prints as one line of text without times and random ids.
//
// An [App] is one window of one program; two documents of a program are two
// Apps with the same Root. Windows have the ids "1", "2", … in the order of the
// Apps; one that is closed and launched again has another id ("1-2"), as on a
// real desktop. The test, or a hook, changes what there is to see:
// [App.ChangeWindow], [App.ChangeControl], [App.SetControls], [Desktop.Gone],
// [Desktop.Show].
//
// The well-known commands of package desktop work: clicking checks that the
// control is there, set_edit_text changes its value, a screenshot is a PNG that
// changes when, and only when, the window changes. [Desktop.Without] takes tools
// away, struct{ desktop.Desktop }{d} has no Scope. More tools are values of
// [Tool], in App.Tools or for every window in [Desktop.AddTools]. A command that
// does not fit the schema of its tool is answered with a failure.
//
// A command that is sent through [Desktop.Scope] acts on that window, and on no
// other once it is closed. A command that is sent to the Desktop acts on the
// window that has the focus: the first App that is Running, then whichever was
// selected or launched last.
//
// # Faults
//
//	d.Slow("click_input", time.Minute)                  // answers late; negative: never
//	d.Fail("click_input", "disabled").Times(1)          // the tool says no, once
//	d.Break("", io.ErrUnexpectedEOF).Skip(3)            // any tool: the transport breaks, from the fourth call on
//	d.Break("click_input", io.EOF).Late()               // it is done, but the answer is lost
//	d.Lie("click_input", desktop.TextResult("clicked")) // says so without doing so
//	d.On("run_shell", run)                              // anything else, a panic for instance
//	d.Gone(app)                                         // the window is not there any more
//	d.After("get_ui_tree", rename).Times(1)             // changes the screen behind the agent's back
//
// Of several rules for one call the oldest that still applies decides, so that
// rules with Times are a script in their order; delays and hooks come on top.
//
// # Concurrency and time
//
// Several goroutines may call everything. The funcs of tools, rules and hooks
// run without a lock held and may call the Desktop and its Apps. No goroutine is
// started, and nothing sleeps but slow tools and wait, which honour their
// context: in a bubble of testing/synctest all of it takes no time.
//
// # Testing a desktop of your own
//
//	func TestDesktop(t *testing.T) {
//		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return mine.New(t) }, &desktoptest.Options{
//			Failing: desktop.Command{ToolName: "open", Parameters: map[string]any{"path": "nowhere"}},
//			Slow:    desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
//		})
//	}
//
// Each of these is a subtest, and a failure says what is wrong and why it
// matters. Run it with -race.
//
//   - tools: the list is sound, always the same, and the caller's own.
//   - call: a command that only reads succeeds; its result has a known status, its call id, and
//     JSON and images that can be read.
//   - wellknown: well-known tools take what agents send, and say whether they only read.
//   - failure, unknown, arguments: a tool that says no is a result and says why; so are a tool that
//     does not exist, and arguments that the schema forbids. Nothing panics.
//   - parameters, results: a command is neither changed nor kept, and a result is the caller's own.
//   - effect: one execution is one effect.
//   - cancel: nothing is executed under a context that is done, and a command stops when its context
//     ends. Both are errors.
//   - concurrent: several goroutines get the answers to their own commands.
//   - close: an io.Closer may be closed twice, and then refuses.
//   - goroutines: neither calls nor desktops leave any.
//   - windows: windows have ids of their own and a root, controls ids of their own.
//   - scope: a [desktop.Scoper] narrows to each window that it lists, one beside another, and to no
//     other, and get_app_window describes that window.
//   - pictures: screenshots are images of the form that they say.
//   - ids: two looks with nothing in between give the same controls the same ids.
//   - gone: a desktop that is narrowed to a window says so when that is closed, and other windows
//     still answer.
//   - dialog: a modal dialog is listed with its Owner, and narrowed to that window it is described
//     and its controls come first. Other windows know nothing of it.
//   - second: another window of the same process has another id, and each can be narrowed to.
//   - moves: a control that moves keeps its id, and its Bounds are others; get_control agrees.
//   - large: a tree of 2,000 controls comes within the Grace, each with an id of its own.
//
// What follows tools, call, windows or scope does not run when that one fails. A desktop without
// windows, screenshots, Scope or Close is not asked for them. The checks from gone to large need
// a func in the Options that brings it about.
package desktoptest
