package blackboard

// progressDone is the status of a sub-task that counts as finished.
const progressDone = "FINISH"

// Progress counts the sub-tasks behind the first n, which are those of a round
// that began when the board had n. It copies none of them, so that it may be
// asked often. Of several open ones Current is the last.
func (b *Board) Progress(n int) Progress {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var p Progress
	for _, s := range b.subtasks[min(max(n, 0), len(b.subtasks)):] {
		p.Total++
		switch s.Status {
		case "":
			p.Current = s.ID
		case progressDone:
			p.Finished++
		default:
			p.Failed++
		}
	}
	return p
}
