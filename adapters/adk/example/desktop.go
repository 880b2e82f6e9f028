package main

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

// event is what the calendar takes.
type event struct {
	Title string `json:"title"`
	Day   string `json:"day" format:"date"`
}

// newDesktop has a mail program, where a mail is open, and a calendar. Both are Go
// funcs.
func newDesktop() (desktop.Desktop, error) {
	mail, err := desktop.New(desktop.Func("read_mail", "reads the mail that is open",
		func(context.Context, struct{}) (string, error) {
			return "Shall we meet for lunch on the 3rd of May, 2027? Ada", nil
		}, &desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		return nil, err
	}
	calendar, err := desktop.New(desktop.Func("add_event", "adds an event to the calendar",
		func(_ context.Context, e event) (string, error) {
			return "added " + e.Title + " on " + e.Day, nil
		}, nil))
	if err != nil {
		return nil, err
	}
	return desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "mail", Process: "inbox", Title: "Ada: lunch? - Mail"}, Desktop: mail},
		desktop.App{Window: desktop.Window{Root: "calendar", Process: "my calendar", Title: "Calendar"}, Desktop: calendar},
	)
}
