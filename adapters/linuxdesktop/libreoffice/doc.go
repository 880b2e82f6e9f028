// Package libreoffice adds to a Desktop of linuxdesktop what is special in LibreOffice: whole documents and sheets are read, and
// rows are written into sheets.
//
//		d, err := linuxdesktop.Open(ctx, linuxdesktop.Options{
//			Display: s.Display, Bus: s.Bus, Env: s.Env, Extensions: []linuxdesktop.Extension{libreoffice.New()},
//		})
//		policy := libreoffice.Policy(linuxdesktop.Policy(opts))
//
//	  - read_document and read_table select a text document, copy it, and read the copy, which is OpenDocument: the tree has the
//	    texts in view alone. The clipboard is another afterwards, and the cursor and the view are elsewhere. read_table also reads sheets, and says
//	    which rows and columns are hidden.
//	  - Texts are read as a person sees them: without tracked deletions and hidden texts, with raised digits as such (1204¹), and
//	    with a struck part as ~~10~~. A row whose text is deleted is empty. Numbers of lists and headings are not read. Text frames,
//	    shapes and tables within tables are named, and not read.
//	  - write_cells pastes rows, and reads them back. It replaces what cells hold only if it is told to.
//	  - select_menu has the entry of a menu act: the menus are not shown to the tree.
package libreoffice
