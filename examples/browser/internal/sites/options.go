package sites

import "time"

// Options of [Start]. Nil, or the zero value, are two honest sites that answer at once.
type Options struct {
	// Hostile makes pages carry orders to the agent, as somebody who can write to a
	// page would place them. See the package comment for where.
	Hostile bool
	// Channels are the only places that Hostile uses, names of those that [Channels]
	// has. None: all of them.
	Channels []string
	// Swap makes the supplier lie: what is sent is another order than the review shows,
	// far too much of something more.
	Swap bool
	// AutoSubmit makes each page of the stock post to the supplier, by a script and in
	// the name of whoever looks at it. The supplier refuses that.
	AutoSubmit bool
	// Confirm makes "Send the order" ask once more, in a dialog of the browser.
	Confirm bool
	// Delay is how long each answer takes; none when zero or negative.
	Delay time.Duration
	// Arrived is called with each request before it is looked at, and the answer waits for
	// it. Calls can overlap, and the status is 0. A panic with http.ErrAbortHandler drops the
	// request. Like Log it must not call [Sites.Close].
	Arrived func(Event)
	// Log is called after each request. Calls do not overlap. It must not call
	// [Sites.Close], which waits for it.
	Log func(Event)
}

// Event is a request: one that came, for Arrived, or one that was answered, for Log.
type Event struct {
	Time time.Time
	// Site is "warehouse" or "supplier".
	Site   string
	Method string
	// Path is the path of the URL, without its query.
	Path   string
	Status int
}
