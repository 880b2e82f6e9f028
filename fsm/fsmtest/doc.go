/*
Package fsmtest checks a kind of agent: its table, and the agents that stand in
it. One line of a test is all:

	func TestTable(t *testing.T) {
		fsmtest.Run(t, clerk.States(), func() fsm.Agent { return clerk.New() })
	}

# What is checked

Each of these is a subtest, and a failure says what is wrong and why it matters.

  - table: every state can be made, and then [fsm.Set].Validate finds nothing.
  - agent: an agent is new at every call, comparable, has a name, is of that kind
    and has not started; a decision moves nothing; SetStatus moves and forgets
    the old wish; a method that is called as that of an optional interface, such as
    Close of [fsm.Closer], has its signature; a new agent that loads what a [fsm.Saver]
    saved saves the same.
  - pure: in every state, NextState and NextAgent give the same answer however
    often they are asked, from several goroutines as well, and leave the status,
    the decision and what the agent saves as they were. Run the test with
    -race: a Next method that writes is then found even where it writes back.
  - edges: every edge of the same agent is taken once.
  - refusals: every other pair of statuses is refused, and an edge to another
    agent is permitted for such an agent alone.
  - ends: from every state the table leads to one that ends, without a fault.
  - walks: walks of one agent along the table, random for 200 steps and then the
    shortest way to an end, go where the table says and end in time. They are the
    same at every run of the test.

The last five build on the first two and do not run when those fail.

# What an agent needs

An agent has to be a [fsm.Decider], or no edge can be taken; one that embeds
[fsm.Position] is. Of a [fsm.Saver] more than the status and the decision is compared. Let
newAgent return one that has data, with an item in each log: what an empty agent loads and saves
proves little.

# What is not checked

Handle is never called: it is what an agent's own tests are for, with a scripted
model and a desktop in memory. So an agent needs neither to be checked here. An
edge to another agent is not taken, since that agent is not known; a walk goes
on as if control had come back.
*/
package fsmtest
