// Package linuxdesktop makes a Desktop of a Linux screen: an X11 display with its programs, seen
// through the accessibility tree (AT-SPI) and worked with mouse and keyboard.
//
//	s, err := headless.Start(ctx, nil) // a screen of its own; or your own, see below
//	...
//	defer s.Close()
//	programs := map[string][]string{"mousepad": {"mousepad", "--disable-server"}}
//	d, err := linuxdesktop.Open(ctx, linuxdesktop.Options{Display: s.Display, Bus: s.Bus, Env: s.Env, Programs: programs})
//	...
//	defer d.Close()
//	policy := linuxdesktop.Policy(&linuxdesktop.PolicyOptions{Programs: programs})
//
// # What is seen
//
// get_desktop_app_info lists the windows of the window manager. The Root is the class of the window
// (libreoffice-calc, mousepad), in small letters. A dialog has the window that it is transient for as its
// Owner. get_app_window says which modal dialog takes the window's input, and which control has the focus.
//
// get_ui_tree lists what shows. The type of a control is its role in AT-SPI, such as push button, and its
// id stays the same while its program runs. Boxes around boxes are left out. A tool bar, a menu bar and a
// status bar are one control each, with the names of what is inside and [+]: show_controls lists that,
// too. A table of more than 120 cells is one control: read_table reads it. While a modal dialog is open,
// it is all that is listed. A password field is ***.
//
// # What is done
//
// Acts find their control through the tree and use the mouse and the keyboard, as a person does. A click
// fails, and touches nothing, if the control is not what was shown, is disabled or off the screen, if a
// dialog is open in front of it, or if another window or a locked screen lies over it. Keys stop when another
// window takes the focus. Acts at the same time wait for one another.
//
// The result says which windows opened or closed. If nothing of the window changed, Result.Unverified says
// so. set_edit_text reads back what it wrote. keyboard_input types every character, also those that the
// keyboard lacks. select_menu takes a path such as ["Insert", "Chart..."].
//
// # What it can do to your machine
//
// With the DISPLAY of your own session, an agent sees and does what you could, with your rights. Package
// headless has a screen of its own for it, which is no sandbox either: programs there run as you. Pictures
// show what is on the screen. [Policy] asks before what is kept, sent or lost. docs/guides/screen.md says
// more.
//
// # What programs cannot do
//
//   - LibreOffice needs the package libreoffice-gtk3, and the extension of package libreoffice.
//   - featherpad (Qt): each process has one window.
//   - xfce4-terminal: its text cannot be replaced.
//   - Chromium needs --force-renderer-accessibility. It has no menu bar, and its file dialogs have no tree.
//   - A window without a tree, such as xterm, and one of GTK 4 have a note in place of their controls: a
//     model sees the picture, and clicks on points.
//   - GTK 2 programs need the package libatk-adaptor and GTK_MODULES=gail:atk-bridge in Options.Env.
//   - Windows of Wayland programs are not seen.
//
// Each call of the tree has three seconds, and each look 20,000 of them for each window.
package linuxdesktop
