/*
Package fsm defines the machine of an agent: its states, the table of the steps
between them, and the position of one agent in that table.

You define a kind of agent once, as one table, and all agents of the kind share
it. Package round drives agents. This package only says what an agent is and
which steps its table allows.

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
			{Status: fsm.Finish, RoundEnd: true},
		},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	)

This is a whole kind. Its states are rows and its permitted steps are edges. The edge
without From is the start. A Clerk is a [Worker], with which a round can begin. Without
Begin and Answer it would be an [Agent], to which another agent can hand over control.

# Statuses and states

A [Status] is a name, such as CONTINUE: models write it, edges connect it, journals
store it. A [State] is what happens under that name. A Round calls three of its methods,
always in this order:

  - Handle does the work. It may take long and may fail, it is the only one that
    has effects, and it leaves what it wants next in the agent's [Decision].
  - NextState says which status follows.
  - NextAgent says which agent takes the next step: mostly the same one, another
    one when control is handed over.

The last two only read. When a host hands over to a clerk, the Round asks the host's
state for the status and the agent, and looks the status up in the clerk's Manager. So
the host's state need not know the clerk's Go type.

A state holds no data of a run. All agents and goroutines share one instance, and
each agent keeps its own data.

Most states are a [Row]: a line of a table whose funcs may be nil. Handle takes
the agent first, so a method expression fits, such as (*Clerk).work. You can also
write a type that implements [State], and add it with [Manager.AddState].

A state with IsRoundEnd or IsSubtaskEnd is terminal: it ends the agent's work. One of the
two is enough. If another agent waits, control returns to that agent; if none waits, the
round ends. An agent that reaches ERROR always ends the round. A round succeeds when it
ends in FINISH, or in a row with Success.

# The table

An [Edge] permits one step: fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel}
lets a model end an agent that stands in CONTINUE. The Round refuses a step that is
not in the table with [ErrNotAllowed], and says what the table permits.

The [Cause] of a step says who is behind it. A model may take the edges with
[ByModel]: [Bound.Targets] lists them for its prompt and for the check of its reply.
Code may take every edge.

The field Kind makes an edge a hand-over: it names the kind of agent that takes over, or
is [AnyKind]. Without it the step stays with the same agent.

Two steps need no edge. A fault (an error or a panic) leads from every state that is not
terminal to ERROR of the same agent, with the cause [ByFault]; this works without a row for
ERROR, too. And when an agent ends that got control from another one, control returns to
the other one, at CONTINUE, unless the agent ended in ERROR. A diagram shows each of the
two as one arrow or note.

[Manager.Validate] finds mistakes in a table before it runs: edges to a status without
a state, states that no edge leads to, states without a way out. [Table] calls it and
panics, so a program with a wrong table in a package variable does not start.
[Manager.Mermaid] draws the table. Package fsmtest checks a table together with its
agent in one line of a test.

A Handle must not name the variable of its own table: Go reports an initialization
cycle. To list the statuses for a prompt, a Handle calls deciding.Allowed(agent). If it
needs the table for something else, make the table when it is first used:

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
constructor, which is called once, when the state is first needed. Every later
look-up gives the same instance. A constructor may look up other states, but
not in a circle: two that wait for each other wait for ever.

A look-up never fails. For a status that nobody registered it returns a state which
ends nothing and whose Handle returns [ErrUnknownStatus]. The Manager does not keep
that state, so a model that invents names fills no memory, and you can register the
status later.

To customise a kind, copy its table and add to the copy:

	states := appagent.States().With(fsm.Edge{From: fsm.Confirm, To: fsm.Finish, By: fsm.ByUser})

The copy has instances and edges of its own: what you add to one of the two later
does not change the other. [Manager.AddState] adds or replaces a state at run time.

# The position

An [Agent] has a status, and the decision of its last Handle. Embed [Position] to
get both. Decide records a wish and moves nothing. Only the Round calls SetStatus,
after Handle has returned without an error and the table has permitted the step. So
a step that failed or was cancelled has moved nothing, and the Round can call its
Handle again.

SetStatus clears the target of the decision, so that no step uses an old decision: the
Round refuses the step of a Handle that decides nothing. The reason stays until the next
Decide.

A [Worker] is an agent that takes tasks: from a Round, or from another agent. An agent
can implement more interfaces of one method, such as [DataProvider] and [Closer]; the
comment of Worker lists them.

# For authors of a driver

An author of a kind writes State[*Clerk] and Row[*Clerk] and never converts a type. A
driver such as round has agents of several kinds at once. It sees each kind as a [Set]: a
Manager without its type parameter. [Set].Bind returns a [Bound]: one state, its edges,
and its methods for any [Agent]. The only type conversion is in there. It refuses an agent
of another type than that of the table: this happens to a type that
embeds a built-in agent and inherits its method States.

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

Handle reports a fault by returning an error. In three cases the Round does not take
the error for a fault, and leaves the agent where it is: the context was cancelled; the
error wraps [ErrSuspend], because an answer comes later, and the same Handle is called
again when the run goes on; or a bound of the Round was reached.

A step that the table does not have is [ErrNotAllowed], and a step to a status without a
state is [ErrUnknownStatus]. Validate returns all its findings joined.

# Concurrency properties

Any number of goroutines may use a Manager or a Set, also while one of them registers
states. A look-up takes no lock; only the first one of a state waits for its constructor.
The registry is not locked while a constructor runs. A Bound is immutable and shared.
Bind (of a registered status), Handle, Next and Permits do not allocate.

One goroutine at a time uses an agent and its Position. Several may call NextState and
NextAgent at once, since these only read.

# What is deliberately not here

  - No hooks on entry, exit or transition. Put effects into Handle, and watch the
    steps that a Round yields.
  - No nested or parallel states. Write two agents instead.
  - No guards on edges. Handle checks the condition and decides.
  - No removal of states and no change of edges in place, so that a table keeps what
    a run relies on.
  - No way from a state to its driver, so that a state works under any driver, a
    test among them.
*/
package fsm
