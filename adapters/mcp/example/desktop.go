package main

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

// event is what the calendar takes.
type event struct {
	Title string `json:"title"`
	Day   string `json:"day"`
}

// newDesktop has a mail program, where a mail is open, and a calendar. Both are Go
// funcs. The calendar says that it overwrites what is there, so by default a person
// must approve what is put into it.
func newDesktop() (desktop.Desktop, error) {
	mail, err := desktop.New(desktop.Func("read_mail", "reads the mail that is open",
		func(context.Context, struct{}) (string, error) {
			return "Shall we meet for lunch in the first week of May? Ada", nil
		}, &desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		return nil, err
	}
	calendar, err := desktop.New(desktop.Func("set_event", "sets the event of a day",
		func(_ context.Context, e event) (string, error) {
			return e.Title + " is on " + e.Day, nil
		}, &desktop.Annotations{DestructiveHint: true}))
	if err != nil {
		return nil, err
	}
	return desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "mail", Process: "inbox", Title: "Ada: lunch? - Mail"}, Desktop: mail},
		desktop.App{Window: desktop.Window{Root: "calendar", Process: "my calendar", Title: "Calendar"}, Desktop: calendar},
	)
}
