package runs

// queue has the runs that wait for a place, in the order in which they came.
type queue struct {
	runs  []string
	known map[string]bool
}

func (q *queue) add(run string) {
	if q.known[run] {
		return
	}
	if q.known == nil {
		q.known = map[string]bool{}
	}
	q.known[run] = true
	q.runs = append(q.runs, run)
}

func (q *queue) next() (run string, there bool) {
	if len(q.runs) == 0 {
		return "", false
	}
	run, q.runs = q.runs[0], q.runs[1:]
	delete(q.known, run)
	return run, true
}

// enqueue has a run driven. One that is being driven is looked at again afterwards.
func (s *Service) enqueue(run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.working || s.closing {
		return // Work finds it in the store
	}
	if d := s.drives[run]; d != nil {
		d.again = true
		return
	}
	s.queue.add(run)
	s.wake()
}

// stop cancels what this process does in a run.
func (s *Service) stop(run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.drives[run]; d != nil {
		d.cancel(errStopped)
	}
}

// makesRoom reports whether a drive is over after a step: another run waits for its place, or the service closes.
func (s *Service) makesRoom(d *drive) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return true
	}
	if d.steps < s.config.Slice || len(s.queue.runs) == 0 {
		return false
	}
	d.again = true
	return true
}
