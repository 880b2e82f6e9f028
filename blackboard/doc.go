// Package blackboard is the memory that all agents of a session share.
//
// A [Board] is a dictionary of JSON values. The host writes there which sub-task
// goes to which application, the agents of applications return their results by
// it, and every prompt shows an excerpt. A board lasts as long as its session, and
// can be stored and loaded.
//
// # Values
//
// A [Key] is a name together with a Go type, so that writers and readers of a
// value use the same type:
//
//	var budget = blackboard.NewKey[int]("budget")
//
//	err := budget.Put(board, 1200)
//	n, ok, err := budget.Get(board)
//
// Put turns a value into JSON. So a later change of the Go value changes nothing
// on the board, every reader gets a copy, and Put refuses a value without a JSON
// form with [ErrNotSerialisable]. Numbers keep their digits: read into any, or a
// map[string]any, they are json.Number. [Board.PutRaw] and [Board.Raw] are the same
// without a Go type. [Board.PutNew] makes a new name, such as action_result_3, which
// no other value ever gets.
//
// # Lists
//
// [Board.Append] adds an item to a list. A list only grows: no method replaces, shortens or
// deletes it. Only trajectories, see below, loses its first items. A [Key] of a slice type reads it.
//
// # Names of the built-in agents
//
// A HostAgent keeps these values:
//
//	current_subtask  what it handed over last: {id, application, task, message, context, timestamp}
//	task_progress    the sub-tasks of the request: {total, finished, failed, current}
//	host_last_step   its record of its last step
//	plan             its plan: texts, and objects with id, task, application, depends_on, status and subtask
//
// The lists are requests (what the user asked for), questions ({agent, question, answer}; the section answers
// of a prompt shows them) and trajectories (records of the last steps of AppAgents, 200 at least). When
// trajectories has 300, it drops the first 100, with the screenshots that nothing else on the board
// refers to. The other items keep their numbers in paths.
//
// # Sub-tasks
//
// [Board.Open] records a piece of work and numbers it, [Board.Close] records
// how it ended; the first close counts. The outcome of sub-task N is the value
// subtask_result_N with the members id, application, task, status, data and
// reason. Data is absent when there was no result, reason when none was given.
// Only Close can write a value under such a name.
//
// # References
//
// [Board.Lookup] finds a part of a value by a path such as
// subtask_result_1.data.rows.0. A model writes such a path as {"$ref": path} in an
// argument: so it passes a large result on whole, although its prompt shows only the head.
//
// # Prompts
//
// [Board.Render] writes the board as one JSON object of at most a given number of
// bytes. It shows a value that fits as it is. It shows as many members of a larger
// object as fit, and counts the others under "$left_out". A larger list or text becomes
//
//	{"$ref": "subtask_result_1.data.rows", "bytes": 48211, "items": 2000, "head": […]}
//
// with the path for a reference, its size in bytes as JSON, and its beginning;
// a list that only grows shows its end, as "tail", and how many items were "dropped".
//
// # Blobs
//
// A board keeps screenshots and other bytes beside its values. [Board.PutBlob]
// returns a reference, which values can contain. It is the hash of the content, so the
// board stores the same picture once.
//
// # Storing
//
// A board is stored and loaded whole, as JSON. Package durable records only the
// changes that each step made.
//
// # Size
//
// The argument of [New] bounds the board. A call that would exceed it returns [ErrFull]
// and changes nothing. You can always delete a value, replace one by a smaller one, and
// close a sub-task without a result.
//
// # Concurrency
//
// Several goroutines may call all methods. Each call is atomic. The board holds no
// lock while it calls your MarshalJSON or UnmarshalJSON.
package blackboard
