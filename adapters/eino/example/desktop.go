package main

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

// expense is a line of the sheet.
type expense struct {
	What   string `json:"what"`
	Amount int    `json:"amount"`
}

// letter is what the mail program takes.
type letter struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// newDesktop has a spreadsheet, where a sheet is open, and a mail program. Both are
// Go funcs.
func newDesktop() (desktop.Desktop, error) {
	calc, err := desktop.New(desktop.Func("read_sheet", "reads the sheet that is open",
		func(context.Context, struct{}) ([]expense, error) {
			return []expense{{"rent", 900}, {"power", 80}, {"paper", 20}}, nil
		}, &desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		return nil, err
	}
	mail, err := desktop.New(desktop.Func("send_mail", "sends a mail",
		func(_ context.Context, l letter) (string, error) {
			return "sent to " + l.To, nil
		}, &desktop.Annotations{DestructiveHint: true})) // nobody can take a mail back
	if err != nil {
		return nil, err
	}
	return desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "calc", Process: "expenses", Title: "expenses - Calc"}, Desktop: calc},
		desktop.App{Window: desktop.Window{Root: "mail", Process: "drafts", Title: "Mail"}, Desktop: mail},
	)
}
