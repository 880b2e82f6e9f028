/*
Package fsm holds the definition of an agent's machine: its states, the table
of steps between them, and the position of one agent in it.

A kind of agent is defined once, as one table, and every agent of the kind uses
it. The package runs nothing. Package round drives agents; this package says
what they are and which of their steps are allowed.

	type Clerk struct {
		fsm.Position
		name, answer string
	}

	func (c *Clerk) Name() string                            { return c.name }
	func (c *Clerk) States() fsm.Set                         { return clerkStates }
	func (c *Clerk) Begin(context.Context, fsm.Task) error   { c.answer = ""; return nil }
	func (c *Clerk) Answer() string                          { return c.answer }
	func (c *Clerk) work(context.Context) error              { … c.Decide(fsm.Finish, fsm.ByModel, ""); return nil }

	var clerkStates = fsm.Table("Clerk",
		[]fsm.Row[*Clerk]{
			{Status: fsm.Continue, Handle: (*Clerk).work},
			{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
			{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
		},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	)

That is a whole kind. Its states are rows, its permitted steps are edges, and
the first edge, which has no From, is the start. Without the last two methods a
Clerk is an [Agent], to which others hand over; with them it is a [Worker], which a round begins with.

# Statuses and states

A [Status] is a name: what a model writes, what edges speak of, what a position
is stored as. A [State] is what happens under that name. It is asked three
things, always in this order:

  - Handle does the work. It may take long and may fail, it is the only one that
    has effects, and it leaves what it wants next in the agent's [Decision].
  - NextState says which status follows.
  - NextAgent says which agent takes the next step: mostly the same one, another
    one when control is handed over.

The last two only read. Say a host hands over to a clerk: the Round asks the host's
state for status and agent, and looks the status up in the clerk's Manager. So a
hand-over needs to know nothing of the kind that takes over.

A state holds no data of a run. One instance serves every agent and every
goroutine; what a run knows lives in the agent.

Most states are a [Row]: a line of a table whose funcs may be nil. Handle takes
the receiver first, so a method expression fits, such as (*Clerk).work. A type
of your own that implements [State] does as well; see [Manager.AddState].

A state with IsRoundEnd or IsSubtaskEnd is terminal: it ends the agent's work. Where
another agent waits, control returns to that agent; where none waits, the round ends. An
agent that reaches ERROR ends the round in any case. A round succeeds when it ends in
FINISH, or in a row with Success.

# The table

An [Edge] permits one step: fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel}
lets a model end an agent that stands in CONTINUE. The Round refuses a step that is
not in the table with [ErrNotAllowed], and says what the table permits.

The [Cause] of a step says who is behind it. A model may take the edges with
[ByModel]: [Bound.Targets] lists them for its prompt and for the check of its reply.
Code may take every edge.

Kind makes an edge a hand-over. "" is the same agent, [AnyKind] is another agent
of whatever kind, and any other text is the name of the kind entered.

Two steps are in no table. A fault (an error or a panic) leads from every state
that does not end to ERROR of the same agent, with the cause [ByFault], also where the table has no ERROR. And when
an agent that was handed control ends, but for ERROR, control returns to whoever handed it
over, at CONTINUE. Diagrams show both once.

[Manager.Validate] finds what is wrong with a table before it runs: ends of edges
that nobody registered, states that nothing leads to, states without a way out.
[Table] calls it and panics, so a table in a package variable is right or the
program does not start. [Manager.Mermaid] draws the table.
Package fsmtest checks a table together with its agent in one line of a test.

Go refuses var table = fsm.Table(…) as an initialization cycle where one of its
Handles uses table. For the statuses in a prompt use deciding.Allowed(agent). For
anything else fill the variable when it is first asked for:

	var (
		once  sync.Once
		table *fsm.Manager[*Clerk]
	)

	func States() *fsm.Manager[*Clerk] {
		once.Do(func() { table = fsm.Table(…) })
		return table
	}

# The registry

A [Manager] holds the states of a kind by status. [Manager.Register] takes a
constructor, which is called when the state is first needed, once; every later
look-up gives the same instance. A constructor may look up other states, but
not in a circle: two that wait for each other wait for ever.

A look-up never fails. A status that nobody registered gives the none state,
which ends nothing and whose Handle reports [ErrUnknownStatus]. It is made
for the call and not kept, so a model that invents names fills no memory, and a
state that is registered later is found.

To customise a kind, take its Manager and add to a copy:

	states := appagent.States().With(fsm.Edge{From: fsm.Confirm, To: fsm.Finish, By: fsm.ByUser})

The copy has its own instances and its own edges; what is added to either later
is not in the other. [Manager.AddState] puts an instance in at run time and
replaces what was there.

# The position

An [Agent] has a status and the decision of its last Handle. Embed [Position] to
have both. Decide records a wish and moves nothing: only the Round calls
SetStatus, after Handle has returned without an error and the table has
permitted the step. A step that failed or was cancelled has therefore moved
nothing, and can be taken again.

SetStatus forgets where the decision wanted to go, so an old decision is never used
again: the Round refuses the step of a Handle that decided nothing. The reason stays
until the next Decide.

A [Worker] is an agent that takes tasks: from a Round, or from another agent. What an
agent may do besides is in interfaces of one method, such as [DataProvider] and
[Closer]; the comment of Worker lists them.

# The erased side

Users write State[*Clerk] and Row[*Clerk] and never convert a type. Whoever
drives agents has several kinds at once and sees each through [Set], which is a
Manager without its type parameter. [Set].Bind gives a [Bound]: one state, its
edges, and its methods on any [Agent]. The one conversion back is inside it. An
agent of another type than the states were written for gets
[ErrAgentType]: this happens to a type that embeds a built-in agent and inherits
its States method.

A driver looks a state up once for each step:

	b := agent.States().Bind(agent.Status())
	err := b.Handle(ctx, agent)
	…
	to, by, next, err := b.Next(agent) // NextState and NextAgent
	…
	if !b.Permits(to, kind, by) { // kind: "" for the same agent, else next's kind
		return b.Refuse(agent, to, next)
	}
	next.SetStatus(to)

This is most of a loop. Package round adds what a loop needs to be safe:
bounds, faults, returns, records.

# Errors

Handle reports a fault by returning an error. Three things are no faults and
leave the agent where it is: a cancelled context, an error that wraps
[ErrSuspend] (the answer comes from elsewhere, the same Handle is called again
when the run goes on), and a bound of the Round that tripped.

A step that the table does not have is [ErrNotAllowed], one to a status that nobody
registered [ErrUnknownStatus]. Validate joins all that it finds.

# Concurrency properties

A Manager and a Set may be used by any number of goroutines, look-ups beside
registrations included. A look-up takes no lock; only the first one of a state
waits for its constructor. The registry is not locked while a constructor runs. A
Bound is immutable and shared. None of Bind of a registered status, Handle, Next
and Permits allocates.

An agent and its Position are used by one goroutine at a time. The Next methods
of a state are nevertheless safe to call from several at once, since they only
read.

# What is deliberately not here

  - No hooks on entry, exit or transition. Handle is the one place for effects,
    and the sequence of steps that a Round yields is the one place to watch.
  - No nested or parallel states. An agent that needs a machine inside a state is
    two agents.
  - No guards on edges. A condition belongs in Handle, which decides by it.
  - No change of edges in place and no removal of states: a table that a run was
    checked against stays what it was.
  - No way from a state to whatever drives it, so that a state works under any
    driver, a test among them.
*/
package fsm
