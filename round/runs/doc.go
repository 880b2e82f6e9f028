// Package runs is for those who have journals of runs, and neither the agents nor the
// program that made them: a page that lists what waits for approval, a command that
// answers, a colleague who asks what would have come of another answer.
//
// # What a run waits for
//
// A run whose user answers later (people.Later) is suspended, and its process may end.
// What it asked is in its journal:
//
//	for state, err := range runs.All(ctx, store) {
//		for _, q := range state.Questions {
//			fmt.Println(state.Run, q.ID, q.Text)
//		}
//	}
//
// [Answer] puts the answer there, from any process. Whoever resumes the run then
// (round.Resume) asks its user nothing that was answered:
//
//	given, err := runs.Answer(ctx, store, "order 12", id, people.Answer{Approved: true})
//
// The first answer counts, and a later one changes nothing. Nobody is told: that the
// run can go on is for the caller to pass on, such as with Wake of adapters/sqlstore.
//
// # What a run did
//
// [Look] says where a run stands and what it came to, [Records] what is in its journal,
// record by record. The agents' memory is there in their own form. round.Replay does a
// run once more, with what was recorded.
//
// # Another way
//
// [Fork] begins another run with what a run has up to a step, and with another reply or
// answer there. round.Resume goes on with it. It is for trying out, such as in a test:
// what was done in the world behind that step is done.
//
// # Secrets
//
// Journals have secrets in them, and so has what is read from them. A page can show what
// State.Questions has in words (Text, Title, Target, Reason, Comment, Agent), as far as the
// run knew its secrets when it stopped, and Question.Shown, which has the command as it may
// be shown. Question.Command, the request, the answer and all of a [Record] are as they were
// recorded.
package runs
