package acting

// Remember is remember.
var Remember = remember

// Covers is covers.
func (a *Approval) Covers(act Act) bool { return a.covers(act) }
