package fsm

// Set is a [Manager] with its agent type erased: what an agent shows of its
// kind to whoever drives it. Only a *Manager is a Set.
type Set interface {
	// Kind is the name of the kind of agent.
	Kind() string
	// Statuses is what is registered, sorted.
	Statuses() []Status
	// Edges is a copy of the table.
	Edges() []Edge
	// Bind returns a state, erased. It is never nil.
	Bind(Status) *Bound
	// Validate returns every finding about the table, sorted and joined.
	Validate() error

	start() (Status, bool)
}

func (m *Manager[A]) start() (Status, bool) {
	if out := m.from[""]; len(out) > 0 {
		return out[0].To, true
	}
	return "", false
}

// Start returns the status in which agents of the set start: the first edge
// without From. The second result is false when the table has no start.
func Start(set Set) (Status, bool) {
	return set.start()
}
