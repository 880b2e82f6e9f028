package program

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// Word and Excel are the roots of the windows.
const (
	Word  = "Word"
	Excel = "Excel"
)

// screen returns a desktop with two windows.
func screen(in, out string) (desktop.Desktop, error) {
	word, err := newWord(in)
	if err != nil {
		return nil, err
	}
	excel, err := newExcel(out)
	if err != nil {
		return nil, err
	}
	if in == "" {
		in = "sales.docx"
	}
	return desktop.Screen(
		desktop.App{Window: desktop.Window{Root: Word, Process: filepath.Base(in), Title: filepath.Base(in) + " - " + Word}, Desktop: word},
		desktop.App{Window: desktop.Window{Root: Excel, Process: filepath.Base(out), Title: filepath.Base(out) + " - " + Excel}, Desktop: excel},
	)
}

//go:embed testdata/sales.docx
var sample []byte

// newWord returns the tools of Word. They read the file at each call, so a broken one is an error that the model reads.
func newWord(name string) (desktop.Desktop, error) {
	return desktop.New(tables.Tools(func(context.Context) ([]*tables.Table, error) {
		data := sample
		if name != "" {
			var err error
			if data, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		blocks, err := docx.Read(data)
		return tables.Read(blocks), err
	})...)
}
