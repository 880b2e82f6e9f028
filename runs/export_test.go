package runs

// NewLocal is the engine of a Service that has no other.
func NewLocal(most int) Engine { return newLocal(most) }
