package acting

// Remember is remember.
var Remember = remember

// Covers is covers.
func (a *Approval) Covers(act Act) bool { return a.covers(act) }

// Memos returns all steps that a memory has.
func (m Memory) Memos() []Memo { return m.memos }
