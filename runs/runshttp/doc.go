// Package runshttp serves package runs over HTTP:
//
//	handler := runshttp.New(svc, runshttp.Config{Authorize: mayDo})
//	err := http.ListenAndServe(":8080", handler)
//
// A client starts a run, reads what it asks, answers, and watches it:
//
//	curl -d '{"id": "order 12", "request": "pay Ann"}' -H 'Content-Type: application/json' localhost:8080/runs
//	curl localhost:8080/runs/order%2012
//	curl -d '{"approved": true}' -H 'Content-Type: application/json' localhost:8080/runs/order%2012/answers/4f1c
//	curl -N localhost:8080/runs/order%2012/events
//
// # The API
//
//	POST   /runs                         starts a run: id, request, meta. 201, or 200 if it is there already
//	GET    /runs                         a page of up to 1 MiB: prefix, stage (several), asks=true, after, limit (100). next is the next after
//	GET    /runs/{run}                   where it stands, and what it asks
//	POST   /runs/{run}/answers/{question}  text or approved. given says whether this answer counts
//	POST   /runs/{run}/cancel            reason. cancelled says whether this request cancelled it
//	POST   /runs/{run}/retry             of a run that was put aside or postponed: max_steps, max_calls, max_tokens, max_cost
//	POST   /runs/{run}/forks             id of the new run, seq, reply, question, answer
//	DELETE /runs/{run}                   of a run that has ended. 204; 409 (driven) while the last step of a cancelled one goes on
//	GET    /runs/{run}/events            what happens, as server-sent events
//
// A run is an object: id, request, meta, stage, outcome, answer, reason, questions, answers, due, tries, agent, status,
// steps, calls, usage, cost, forked_from, began, last and seq. A question has id, agent, text, approval, deadline,
// command, target, title, reason and comment.
//
// An event is a line of JSON: seq, at, kind (of its durable.Record), round, step, question (its id), by and text. Its seq
// is its id: a client that was cut off sends Last-Event-ID, and misses nothing and gets nothing twice. The stream ends
// with the run; then the client gets 204, which ends an EventSource. It also ends with runs.Service.Close: call that by
// http.Server.RegisterOnShutdown, since Shutdown waits for streams. After Close a stream is 503.
//
// A body is an object in UTF-8 in which no name has two values. It has to come within 30 seconds. A path has ids
// percent-encoded. Errors are problem details (RFC 9457) with a code, such as no_run or not_ended. Their texts tell
// nothing of the service; Config.Logger gets the details.
//
// # Who may do what
//
// Config.Authorize decides on each right that a request needs. A handler without it has to be Local: it serves only
// loopback addresses, and requests whose Host is a loopback name and that show no proxy. It refuses a change from
// another origin (http.CrossOriginProtection), and a body that is not JSON or larger than 1 MiB.
//
// No answer has the arguments that a tool's schema marks as secret. Questions are in the words that people see. Events
// have neither replies of models nor arguments. A run's request and meta are returned as they were given.
package runshttp
