/*
Package fsmtest checks a kind of agent: its table and its agents. One line of a test is enough:

	func TestTable(t *testing.T) {
		fsmtest.Run(t, clerk.States(), func() fsm.Agent { return clerk.New() })
	}

# Checks

Each check is a subtest. A failure says what is wrong and why it matters.

  - table: every state can be made, and [fsm.Set].Validate finds nothing.
  - agent: newAgent returns a new agent each time. It is comparable, has a name, is of that kind and has not started.
    Decide moves nothing; SetStatus moves and forgets the old decision. A method with the name of an optional method,
    such as Close of [fsm.Closer], has its signature.
  - saved: a new agent that loads what a [fsm.Saver] saved saves the same.
  - pure: NextState and NextAgent give the same answer each time, also to several goroutines, and change nothing.
    With -race, the test also finds a Next method that writes and restores.
  - edges: every edge of the same agent can be taken.
  - ends: from every state, edges lead to one that ends.

The other checks run only if the first two find nothing.

The agent has to be a [fsm.Decider]; one that embeds [fsm.Position] is. The agent of newAgent should have data, with an
item in each log: an empty agent proves little about Load.

Run never calls Handle, and takes no edge to another agent.
*/
package fsmtest
