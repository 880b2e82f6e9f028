// Package linuxdesktop makes a Desktop of a Linux screen: an X11 display with its programs, seen
// through the accessibility tree (AT-SPI) and worked with mouse and keyboard.
//
//	s, err := headless.Start(ctx, nil) // a screen of its own; or your own, see below
//	...
//	defer s.Close()
//	programs := map[string][]string{"libreoffice-calc": {"soffice", "--calc"}}
//	d, err := linuxdesktop.Open(ctx, linuxdesktop.Options{Display: s.Display, Bus: s.Bus, Env: s.Env, Programs: programs})
//	...
//	defer d.Close()
//	policy := linuxdesktop.Policy(&linuxdesktop.PolicyOptions{Programs: programs})
//	host, err := hostagent.New(hostagent.Config{
//		Config: appagent.Config{Model: model, Desktop: d, Policy: policy, User: user},
//		Apps:   []hostagent.Program{{Name: "libreoffice-calc"}},
//	})
//
// # What is seen
//
// get_desktop_app_info lists the windows of the window manager: the Root is the class of the
// window (libreoffice-calc, mousepad), in small letters. A dialog has the window as its Owner that it
// is transient for. get_app_window says which modal dialog takes the window's input, and which control
// has the focus.
//
// get_ui_tree lists what shows. Boxes around boxes are left out. A tool bar, a menu bar and a status bar
// are one control each, with the names of what is inside and [+]: show_controls lists that, too. A table
// of more than 120 cells is one control: read_table reads it. While a modal dialog is open, it is
// all that is listed. A look waits until a new window has its controls.
//
// The type of a control is its role in AT-SPI, such as push button or document text.
// The id of a control is its object's on the bus: the same in all looks while its program runs.
//
// # What is done
//
// Acts find their control through the tree and use the mouse and the keyboard, as a person does. A
// click fails, and touches nothing, if the control is not what was shown, is disabled or off the screen, if a
// dialog is open in front of it, or if another window lies over it. Keys stop when another window
// takes the focus. Those who act at the same time wait for one another.
//
// The result says which windows opened or closed. If nothing of the window changed, it has a
// note (Result.Unverified): the click arrived, and nobody saw that it did anything.
//
//   - set_edit_text and write_cells read back what they wrote, and fail if it is something else.
//     write_cells replaces what cells hold only if it is told to.
//   - keyboard_input types every character, also those that the keyboard lacks.
//   - read_table and read_document scroll until they have seen each cell, and each paragraph: LibreOffice
//     gives what is not in view as empty. They put the cursor into what seems to be empty, since it gives some
//     texts in view as empty, too. get_ui_tree does not, so a look may lack texts after scrolling.
//   - Texts are read as a person sees them: without tracked deletions, with raised digits as such (1204¹), and with a struck
//     part as ~~10~~. read_table says which rows and columns of a sheet are hidden.
//   - select_menu takes a path such as ["Insert", "Chart..."].
//   - wait_for waits for a text in the window.
//
// # What it can do to your machine
//
// With the DISPLAY of your own session, an agent sees and does what you could, with your rights. Package
// headless has a screen of its own for it, which is no sandbox either: programs there run as you. [Policy]
// asks before what is kept, sent or lost. docs/guides/screen.md says more about both.
//
// Pictures show what is on the screen, with passwords that a program shows. In the tree a password field
// is ***. Under a screen that is locked nothing is clicked, typed or written.
//
// # What programs cannot do
//
// GTK 3 programs, LibreOffice, Qt programs and Chromium have a tree. The tests work in these:
//
//   - mousepad: nothing is missing.
//   - LibreOffice (with the package libreoffice-gtk3): its menus are not opened, their entries act. The
//     text of a sheet's cell is set by write_cells, and not by set_edit_text.
//   - featherpad (Qt): each process has one window.
//   - xfce4-terminal: its text cannot be replaced; keyboard_input types. It has no modal dialog.
//   - Chromium (with --force-renderer-accessibility): it has no menu bar, so select_menu refuses. Its
//     file dialogs have no tree.
//
// A window without a tree has a note in place of its controls; xterm is one. GTK 4 programs have one as well: their
// tree does not say what shows, nor where. Then a model sees the picture, and points are what it can click on. GTK 2 programs need the package libatk-adaptor and
// GTK_MODULES=gail:atk-bridge in Options.Env. Some programs, such as VLC, do not run as root. Windows of
// Wayland programs are not seen.
//
// A program that hangs does not answer: each call of the tree has three seconds, and each look 20,000
// of them for each window. A command ends after 300,000.
package linuxdesktop
