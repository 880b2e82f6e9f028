package main

import (
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// verbs say what tools do, in words for a person.
var verbs = map[string]string{
	desktop.ClickInput: "clicks on", desktop.SelectMenu: "chooses", desktop.SetEditText: "fills in", desktop.KeyboardInput: "presses keys",
	desktop.LaunchApplication: "starts", desktop.CloseApplication: "closes a window", "list_tables": "reads the tables of the document", "extract_table": "takes the table",
	"write_cells": "writes the cells", desktop.Wait: "waits",
}

// doing says what was done in a step; "": nothing that a person would see.
func doing(step round.Step) string {
	who := "The host"
	for root, name := range map[string]string{"libreoffice-writer": "Writer", "libreoffice-calc": "Calc"} {
		if strings.Contains(step.Agent, root) {
			who = name
		}
	}
	var acts []string
	for _, done := range step.Commands {
		verb := verbs[done.Command.ToolName]
		if verb == "" {
			continue
		}
		if object := objectOf(done.Command); object != "" {
			verb += " " + object
		}
		if done.Result.Error != "" {
			verb += ", which fails: " + brief(done.Result.Error)
		}
		acts = append(acts, verb)
	}
	switch {
	case len(acts) > 0:
		return who + " " + strings.Join(acts, ", ")
	case step.To == fsm.Fail && step.From != fsm.Fail && step.Reason != "":
		return who + " gives up: " + brief(step.Reason)
	}
	return ""
}

// objectOf is what a command is about.
func objectOf(cmd desktop.Command) string {
	switch value := cmd.Parameters["name"].(type) {
	case string:
		switch cmd.ToolName {
		case desktop.ClickInput, desktop.LaunchApplication, desktop.SetEditText:
			return fmt.Sprintf("%q", value)
		}
	}
	if rows, ok := cmd.Parameters["rows"].([]any); ok {
		return fmt.Sprintf("of %d rows", len(rows))
	}
	path, _ := cmd.Parameters["path"].([]any)
	var steps []string
	for _, step := range path {
		steps = append(steps, fmt.Sprint(step))
	}
	return strings.Join(steps, " > ")
}
