package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// given is what two people said to a question at once.
type given struct {
	Run      string `json:"run"`
	Question string `json:"question"`
	Begins   bool   `json:"begins,omitempty"` // they are about to say it
	Text     string `json:"text"`             // of the answer that counts
	Count    int    `json:"count"`            // how many were told that theirs does
}

// answererMain is the process of two people. Both answer each question that they see, at once and differently, and it
// prints that they do, and then whose answer counts.
func answererMain(ctx context.Context, part []byte, out io.Writer) (err error) {
	var j serviceJob
	if err := json.Unmarshal(part, &j); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	var services []*runs.Service
	var st store.Store
	for range 2 {
		own, end, err := openStore(ctx, j.Store, j.Place)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
		engine, closeEngine, err := openEngine(ctx, j)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeEngine()) }()
		svc, err := runs.New(own, runs.Config{Engine: engine})
		if err != nil {
			return err
		}
		services, st = append(services, svc), own
	}
	said := json.NewEncoder(out)
	seen := map[string]bool{}
	for {
		for state, err := range durable.List(ctx, st, durable.Query{Asks: true}) {
			if err != nil {
				return err
			}
			if f := formOf(state.Run); f == nil || f.unanswered {
				continue
			}
			for _, q := range state.Waits {
				key := state.Run + "\n" + q.ID
				if seen[key] {
					continue
				}
				seen[key] = true
				if err := said.Encode(given{Run: state.Run, Question: q.ID, Begins: true}); err != nil {
					return fmt.Errorf("crash: %w", err)
				}
				g, err := answerTwice(ctx, services, state.Run, q.ID)
				if err != nil {
					return err
				}
				if err := said.Encode(g); err != nil {
					return fmt.Errorf("crash: %w", err)
				}
			}
		}
		pause(ctx, pollOf(st))
	}
}

// texts are what the two people say.
var texts = []string{"large", "very large"}

// answerTwice has two people answer a question.
func answerTwice(ctx context.Context, services []*runs.Service, run, question string) (given, error) {
	var counts [2]bool
	var errs [2]error
	var all sync.WaitGroup
	for i, svc := range services {
		all.Go(func() {
			counts[i], errs[i] = svc.Answer(ctx, run, question, people.Answer{Text: texts[i], Approved: true})
		})
	}
	all.Wait()
	g := given{Run: run, Question: question}
	for i, first := range counts {
		if first {
			g.Text = texts[i]
			g.Count++
		}
	}
	return g, errors.Join(errs[:]...)
}
