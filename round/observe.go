package round

import "errors"

// show gives a step to whoever watches. A panic of the observer is a fault of its own, wherever the step led: it is
// yielded after the step that it was shown, and the observer is not called again.
func (r *Round) show(yield func(Step) bool) bool {
	s, err := r.observe()
	goOn := yield == nil || yield(s)
	if err == nil {
		return goOn
	}
	// Also when the loop over Steps was left: what comes next must not be a success.
	r.blind = true
	first := r.fault
	r.meter.begin()
	step := &r.meter.step
	step.Agent, step.Kind, step.From = r.pos.agent.Name(), r.pos.agent.States().Kind(), r.pos.bound.Status()
	r.toError(err)
	r.fault = err
	if first != nil {
		r.fault = errors.Join(first, err)
	}
	r.finish(true)
	return goOn && (yield == nil || yield(r.meter.publish(r.progress())))
}

func (r *Round) observe() (s Step, err error) {
	err = guard(func() error {
		s = r.meter.publish(r.progress())
		if observe := r.options.Load().Observe; observe != nil && !r.blind {
			observe(s)
		}
		return nil
	})
	return s, err
}
