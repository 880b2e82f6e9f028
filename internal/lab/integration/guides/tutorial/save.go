package main

import "github.com/agentfsm/agentfsm/fsm"

func (w *Writer) Save() (fsm.Saved, error) { return fsm.SaveState(w.data) }

func (w *Writer) Load(saved fsm.Saved) error { return saved.LoadState(&w.data) }
