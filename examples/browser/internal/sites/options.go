package sites

import "time"

// Options of [Start]. Nil, or the zero value, are two honest sites that answer at once.
type Options struct {
	// Hostile makes pages carry orders to the agent, as somebody who can write to a
	// page would place them. See the package comment for where.
	Hostile bool
	// AutoSubmit makes each page of the stock post to the supplier, by a script and in
	// the name of whoever looks at it. The supplier refuses that.
	AutoSubmit bool
	// Confirm makes "Send the order" ask once more, in a dialog of the browser.
	Confirm bool
	// Delay is how long each answer takes; none when zero or negative.
	Delay time.Duration
	// Log is called after each request. Calls do not overlap. It must not call
	// [Sites.Close], which waits for it.
	Log func(Event)
}

// Event is a request that was answered.
type Event struct {
	Time time.Time
	// Site is "warehouse" or "supplier".
	Site   string
	Method string
	// Path is the path of the URL, without its query.
	Path   string
	Status int
}
