// Package blackboard is the memory that all agents of a session share.
//
// A [Board] is a dictionary of JSON values. The host writes which sub-task
// goes to which application, the applications' results come back through it,
// and every prompt shows an excerpt of it. A board lives as long as its
// session and can be stored and loaded.
//
// # Values
//
// A [Key] is a name together with a Go type, so that whoever writes a value
// and whoever reads it agree:
//
//	var budget = blackboard.NewKey[int]("budget")
//
//	err := budget.Put(board, 1200)
//	n, ok, err := budget.Get(board)
//
// A value is turned into JSON when it is put. What its writer changes later
// changes nothing on the board, every reader gets a copy, and a value that
// has no JSON form is refused at once with [ErrNotSerialisable]. Numbers keep
// their digits: where a Go type leaves room (any, map[string]any) they come
// back as json.Number. [Board.PutRaw] and [Board.Raw] are the same without a
// Go type. [Board.PutNew] finds a name of its own, such as action_result_3, that
// never names anything else.
//
// # Lists
//
// A [List] only grows. Nothing replaces, shortens or deletes it. A [Key] of a
// slice type reads it too.
//
// # Names of the built-in agents
//
// A HostAgent keeps these values:
//
//	current_subtask  what it handed over last: {id, application, task, message, context, timestamp}
//	task_progress    the sub-tasks of the request: {total, finished, failed, current}
//	host_last_step   its record of its last step
//	plan             its plan: a list of texts and objects
//
// The lists are requests (what the user asked for, as texts), questions (what the
// user was asked: {agent, question, answer}) and trajectories (records of the
// steps of AppAgents).
//
// # Sub-tasks
//
// [Board.Open] records a piece of work and numbers it, [Board.Close] records
// how it ended; the first close counts. The outcome of sub-task N is the value
// subtask_result_N with the members id, application, task, status, data and
// reason. Data is absent when there was no result, reason when none was given.
// Only Close writes these names.
//
// # References
//
// [Board.Lookup] finds a part of a value by a path such as
// subtask_result_1.data.rows.0. This is what an argument {"$ref": path} means:
// a large result travels whole although the prompt shows only its head.
//
// # Prompts
//
// [Board.Render] writes the board as one JSON object of at most so many bytes.
// What fits is shown as it is. A larger object shows as many of its members as
// fit and counts the others under "$left_out". A larger list or text becomes
//
//	{"$ref": "subtask_result_1.data.rows", "bytes": 48211, "items": 2000, "head": […]}
//
// with the path for a reference, its size in bytes as JSON, and its beginning;
// a list that only grows shows its end, as "tail".
//
// # Blobs
//
// Screenshots and other bytes are kept beside the values. [Board.PutBlob]
// returns a reference made of the content's hash, so the same picture is
// stored once; values refer to it by that reference.
//
// # Storing
//
// A board is stored and loaded as JSON, whole. Package durable records only what
// each step did to it.
//
// # Size
//
// [Options].MaxBytes bounds the board. What would exceed it is refused with
// [ErrFull] and changes nothing. Replacing a value by a smaller one, deleting
// and closing a sub-task without a result always work.
//
// # Concurrency
//
// All methods may be called by several goroutines. Each call is atomic; no lock
// is held while a caller's MarshalJSON or UnmarshalJSON runs.
package blackboard
