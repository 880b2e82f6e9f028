// Package proof says whether what an agent reports as done is done. A model says FINISH, and a
// file may be missing all the same. So Config.Verify of an agent has a [Func]: before a FINISH
// counts, it is given the request, the answer and what the agent saw, and returns a [Finding].
//
//	verify := func(ctx context.Context, c proof.Claim) (proof.Finding, error) {
//		if _, err := os.Stat("sales.xlsx"); err != nil {
//			return proof.Finding{Verdict: proof.No, Evidence: "sales.xlsx is not there"}, nil
//		}
//		return proof.Finding{Verdict: proof.Yes, By: "a look at the disk", Evidence: "sales.xlsx is there"}, nil
//	}
//
// Yes ends the round in FINISH. No sends the agent on, with the Evidence in its next prompt, at
// most as often as it may plan anew; then it ends in FAIL. Unknown ends the round in FINISH, too,
// and round.Result.Verified says that nobody knows. [Model] makes a Func that asks a second model.
//
// The Finding is in round.Result.Verified. round.Result.Partial has each [Undone] part of the request:
// what failed, was dropped on purpose, or was left open. Both are in the journal of a run: durable.Look
// and whoever goes on with the run read them there, and a replay uses what was recorded.
package proof
