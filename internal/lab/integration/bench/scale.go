package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Steps of a run that shows what a size costs: those up to scaleFrom are left out, since
// they pay for what is made once.
const (
	scaleFrom = 3
	scaleTo   = 8
)

// screenStep is what a realistic step costs on a screen with so much.
func screenStep(ctx context.Context, has sizes) (cost, error) {
	j := &job{workload: workload{Realistic: true, Steps: scaleTo}}
	return laterSteps(ctx, j, newScreen(j, has), nil)
}

// boardStep is what a realistic step costs beside a blackboard with so many values.
func boardStep(ctx context.Context, keys int) (cost, error) {
	board := blackboard.New(0)
	for i := range keys {
		if err := board.PutRaw(fmt.Sprintf("value_%06d", i), json.RawMessage(`"of a cell"`)); err != nil {
			return cost{}, err
		}
	}
	j := &job{workload: workload{Realistic: true, Steps: scaleTo}}
	return laterSteps(ctx, j, newScreen(j, usual), board)
}

func laterSteps(ctx context.Context, j *job, on *screen, board *blackboard.Board) (cost, error) {
	agent, err := newApp(replies(j), on, board)
	if err != nil {
		return cost{}, err
	}
	var from meter
	var later cost
	j.onThought = func(step int) {
		switch step {
		case scaleFrom:
			runtime.GC()
			from = read()
		case scaleTo:
			later = from.per(scaleTo - scaleFrom)
		}
	}
	if err := runRound(ctx, j, agent); err != nil {
		return cost{}, err
	}
	return later, nil
}

// subtasksStep is what one of n sub-tasks costs: a step of the host and one of an AppAgent.
func subtasksStep(ctx context.Context, n int) (cost, error) {
	replies := repliesOfMany(n)
	runtime.GC()
	if err := manySubtasks(ctx, 1, repliesOfMany(1)); err != nil { // for what a process makes once
		return cost{}, err
	}
	before := read()
	if err := manySubtasks(ctx, n, replies); err != nil {
		return cost{}, err
	}
	return before.per(n), nil
}

var errEnough = errors.New("bench: it waited long enough")

// waitingBytes is what a round holds that waits for its model in its eleventh step, with its
// goroutine: the mean of many.
func waitingBytes(ctx context.Context, rounds int) (float64, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	arrived, ended := make(chan struct{}, rounds), make(chan error, rounds)
	before := held()
	for range rounds {
		r, err := waiter(arrived)
		if err != nil {
			return 0, err
		}
		go func() {
			_, err := r.Run(ctx)
			ended <- err
		}()
	}
	for range rounds {
		select {
		case <-arrived:
		case err := <-ended:
			return 0, fmt.Errorf("%w: a round ended: %w", errOther, err)
		}
	}
	each := float64(held()-before) / float64(rounds)
	stop(errEnough)
	for range rounds {
		if err := <-ended; !errors.Is(err, errEnough) {
			return 0, fmt.Errorf("%w: a round ended with %w", errOther, err)
		}
	}
	return each, nil
}

// waiter is a small round whose model does not answer its eleventh call.
func waiter(arrived chan<- struct{}) (*round.Round, error) {
	j := &job{workload: workload{Steps: 100}}
	on, err := desk(j)
	if err != nil {
		return nil, err
	}
	answers := replies(j)
	agent, err := newApp(llm.ModelFunc(func(ctx context.Context, request *llm.Request) (*llm.Response, error) {
		if j.thoughts < 10 {
			return answers.Complete(ctx, request)
		}
		arrived <- struct{}{}
		<-ctx.Done()
		err := context.Cause(ctx)
		runtime.KeepAlive(request) // as a call over a network keeps it
		return nil, err
	}), on, nil)
	if err != nil {
		return nil, err
	}
	return round.New(agent, "do nothing", unbounded())
}

// held are the bytes of the heap and of the stacks.
func held() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// prompts is what the prompts of a run had: means of their bytes, and of the share of each
// that the one before began with, too.
type prompts struct{ Bytes, New, Share float64 }

// changingPrompts are those of the steps from 20 to 200, of a realistic run in which one control
// changes with each step.
func changingPrompts(ctx context.Context) (prompts, error) {
	const from, to = 20, 200
	j := &job{workload: workload{Realistic: true, Steps: to}}
	on := newScreen(j, usual)
	on.changing = changingControls
	answers := replies(j)
	var sum prompts
	last := ""
	agent, err := newApp(llm.ModelFunc(func(ctx context.Context, request *llm.Request) (*llm.Response, error) {
		text := promptText(request)
		if j.thoughts+1 >= from {
			same := commonPrefix(last, text)
			sum.Bytes += float64(len(text))
			sum.New += float64(len(text) - same)
			sum.Share += float64(same) / float64(len(text))
		}
		last = text
		return answers.Complete(ctx, request)
	}), on, nil)
	if err != nil {
		return sum, err
	}
	if err := runRound(ctx, j, agent); err != nil {
		return sum, err
	}
	const n = to - from + 1
	return prompts{sum.Bytes / n, sum.New / n, sum.Share / n}, nil
}

// promptText is what a request says, in the order in which a model reads it.
func promptText(request *llm.Request) string {
	var text strings.Builder
	for i := range request.Messages {
		text.WriteString(request.Messages[i].Text())
	}
	return text.String()
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
