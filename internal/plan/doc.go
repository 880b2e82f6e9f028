// Package plan is a planner's list of sub-tasks, as a graph of what depends on
// what, and what became of each of them.
//
// # Two forms
//
// A planner writes a [Draft]: a list of [Item]. In JSON an item is a text, or an
// object with an id:
//
//	["extract the table", "draw it"]
//
//	[{"id": "extract", "task": "extract the table", "application": "word"},
//	 {"id": "chart", "task": "draw it", "application": "excel", "depends_on": ["extract"]}]
//
// Texts are notes: they are shown back to whoever wrote them, and bind nobody.
// Objects are a graph that is enforced: [Plan.Pick] gives an item out only when
// everything that it depends on has finished. A list is one or the other; of a
// mixed one [Draft.Check] says which items have no id.
//
// # A plan and its status
//
// A [Plan] is a draft with a [Status] for each item. It goes like this:
//
//	planned  → assigned   Assign: its sub-task was opened
//	assigned → finished   Close: the sub-task has finished
//	assigned → failed     Close: it ended in another way
//	failed   → planned    Revise: a new draft has it again
//	planned  → dropped    Revise: a new draft does without it; likewise from failed
//	dropped  → planned    Revise: a later draft has its task again
//
// An item that is planned is ready when all that it depends on has finished, and
// blocked until then: also by one that failed, until a new draft has that one
// again or does without it.
//
// # Ids
//
// Ids that differ only in case, in full-width signs or in spaces are one: who writes A
// for a that has finished does not get it done again. Characters that nobody sees are
// refused in an id ([ErrInvisible]).
//
// # Planning anew
//
// [Plan.Revise] takes a new draft. What has finished, or is being worked on, stays;
// everything else is replaced. No draft at all (nil) keeps the plan. A draft without items drops all that is open.
//
// An item that a draft leaves out before it finished stays in the plan as dropped, so
// that nothing disappears in silence. It is a record: nothing waits for it, [Plan.Show]
// leaves it out, and a plan of which nothing else is left binds nobody.
//
// # Order
//
// Every list that this package returns is in the order of the plan, findings are
// sorted, and the same plan gives the same JSON.
//
// # Concurrency
//
// A Plan is a value. Methods change nothing; those that return a Plan return a
// copy. So a plan may be read by several goroutines.
package plan
