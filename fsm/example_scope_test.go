package fsm_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A kind that acts, in the window that a HostAgent chose for it.
func Example_underHost() {
	folders := map[string]int{"downloads": 7}
	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "files", Title: "Files"}, Desktop: manager(folders)})
	if err != nil {
		panic(err)
	}
	cfg := hostagent.Config{
		Config: appagent.Config{
			Desktop: screen,
			Model: llmtest.Script(nil,
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "downloads"}`,
				`{"Status": "FINISH", "Result": "There is room again."}`,
			),
			User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				return people.Answer{Approved: q.Command != nil}, nil
			}),
		},
	}
	// region newapp
	cfg.NewApp = func(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
		desk, err := desktop.Scope(ctx, app.Desktop, app.Window.ID) // this window, and no other
		name := strings.Replace(app.Name, "AppAgent", "Sweeper", 1)
		return &Sweeper{actor: acting.Actor{Agent: name, Desktop: desk, Policy: app.Policy, User: app.User}}, err
	}
	// endregion
	host, err := hostagent.New(cfg)
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "make room", &round.Options{Observe: func(s round.Step) { fmt.Println(s) }})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err, folders["downloads"])
	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> Sweeper/files/1:CONTINUE (system)
	// Sweeper/files/1:CONTINUE -> Sweeper/files/1:CONFIRM (system)
	// Sweeper/files/1:CONFIRM -> Sweeper/files/1:CONTINUE (user)
	// Sweeper/files/1:CONTINUE -> Sweeper/files/1:FINISH (system)
	// Sweeper/files/1:FINISH -> HostAgent:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// There is room again. <nil> 0
}
