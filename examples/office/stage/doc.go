// Package stage has what a run on a Linux screen needs around its agents: a screen, a model over HTTP, a folder,
// and the costs of the run.
//
//	s, err := stage.Start(ctx, stage.Config{Programs: []string{"mousepad"}, Decide: rules.Decide})
//	...
//	defer s.Close()
//	host, err := hostagent.New(hostagent.Config{
//		Config: appagent.Config{Model: s.Model(), Desktop: s.Desktop(), User: user},
//	})
//	...
//	r, err := round.New(host, request, nil)
//	...
//	res, err := r.Run(s.Watch(ctx))
//
// The screen is one that nobody sees, and is gone after Close, or one that runs already: Config.Screen. The
// model speaks the protocol of OpenAI: a server of rules on loopback, which decides by Config.Decide, or your
// own endpoint, which OPENAI_BASE_URL and OPENAI_API_KEY name, where Config.Model says what it calls the model.
package stage
