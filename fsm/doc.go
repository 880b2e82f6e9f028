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

This is a whole kind. Its states are rows and its permitted steps are edges, also the one from
CONTINUE to CONTINUE. The edge without From is the start. A Clerk is a [Worker]: a round can begin
with it. A type without Begin and Answer is only an [Agent]: another agent can hand over control to
it, but no round begins with it.

# Statuses and states

A [Status] is a name, such as CONTINUE: models write it, edges connect it, journals
store it. A [State] is what happens under that name. A Round calls three of its methods,
always in this order:

  - Handle does the work. It may take long and may fail, and it is the only one that
    has effects. It writes into the agent's [Decision] where the agent should go.
  - NextState says which status follows.
  - NextAgent says which agent takes the next step: mostly the same one, another
    one when control is handed over.

The last two only read. When a host hands over to a clerk, the Round asks the host's
state for the status and the agent, and looks the status up in the clerk's table. So
the host's state need not know the clerk's Go type.

A state holds no data of a run. All agents and goroutines share one instance, and
each agent keeps its own data.

Most states are a [Row], one line of a table. Each of its funcs may be nil, and then has a
default. Handle takes the agent first, so a method expression fits, such as (*Clerk).work. You can also
write a type that implements [State], and add it with [Manager.AddState].

A state is terminal if its row has RoundEnd or SubtaskEnd (methods IsRoundEnd, IsSubtaskEnd): the
agent's work ends there. Both do the same; they tell readers whether the kind works alone or for
others. If another agent waits, control returns to that agent; if none waits, the
round ends. An agent that reaches ERROR always ends the round. A round succeeds when it
ends in FINISH, or in a row with Success.

# The table

An [Edge] permits one step: fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel}
lets a model end an agent that stands in CONTINUE. If a step is not in the table, the Round
refuses it: the error is [ErrNotAllowed], and says what the table permits.

The [Cause] of a step says who chose it: the model ([ByModel]), code ([BySystem]), a person
([ByUser]), nobody in time ([ByTimeout]) or a fault ([ByFault]). The Round permits only edges that
name the cause of the decision; a decision without a cause counts as BySystem. deciding.Allowed
lists the edges with ByModel for the prompt and for the check of the reply.

An edge with a Kind hands control to another agent: fsm.Edge{From: "ASK", Kind: "Clerk"}. Kind is
the name of that agent's table, or [AnyKind]. An edge without Kind stays with the same agent.

Two steps need no edge. First, a fault (an error or a panic) leads an agent that is not in a
terminal state to ERROR, also if the table has no row for ERROR. Second, a return: agent A has handed
control to agent B, and B ends; control returns to A, in CONTINUE. If B ends in ERROR, the
round ends instead. A diagram shows each of the two as one arrow or note.

[Manager.Validate] finds mistakes in a table before an agent uses it: edges to a status without
a state, states that no edge leads to, states without a way out. It makes no state, so the
registry stays empty until a run uses it. [Table] calls it and
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
look-up gives the same instance. A constructor may look up other states. If two constructors
look each other up, the program hangs.

A look-up never fails. For a status that nobody registered it returns a substitute, which is
not terminal, and whose Handle returns [ErrUnknownStatus]. The Manager does not keep
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
if Handle returns the error of its context, or the run waits for an answer, the agent stays where it was, and the
Round can call the same Handle again.

SetStatus clears the target of the decision. So a Handle that forgets to call Decide does not
repeat an old step: the Round refuses the step. The reason stays until the next Decide.

A [Worker] is an agent that takes tasks: from a Round, or from another agent. An agent
can implement more interfaces of one method, such as [DataProvider] and [Closer]; the
comment of Worker lists them.

# For authors of a driver

An author of a kind writes State[*Clerk] and Row[*Clerk] and never converts a type. A
driver such as round has agents of several kinds at once. It sees each kind as a [Set]: a
Manager without its type parameter. [Set].Bind returns a [Bound]: one state, its edges,
and its methods for any [Agent]. Bound has the only type conversion. It refuses an agent whose Go
type is not that of the table, such as a struct of yours that embeds a built-in agent and inherits
the method States of that agent.

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

Handle reports a fault by returning an error. In three cases the error is no fault, and the agent
stays where it is:

  - The context was cancelled.
  - The error wraps [ErrSuspend], because an answer comes later. When the run goes on, the Round
    calls the same Handle again.
  - A bound of the Round was reached.

A step that the table does not have is [ErrNotAllowed], and a step to a status without a
state is [ErrUnknownStatus]. Validate returns all its findings joined.

# Concurrency properties

Any number of goroutines may use a Manager or a Set, also while one of them registers
states. A look-up takes no lock. Only the first look-up of a state waits until its constructor
has returned.
The registry is not locked while a constructor runs. A Bound is immutable and shared.
Bind (of a registered status), Handle, Next and Permits do not allocate.

One goroutine at a time uses an agent and its Position. Several may call NextState and
NextAgent at once, since these only read.

# What is deliberately not here

  - No hooks on entry, exit or transition. Put effects into Handle, and watch the
    steps that a Round yields.
  - No nested or parallel states. Write two agents instead.
  - No guards on edges. Handle checks the condition and decides.
  - You cannot remove a state or change an edge of a table, because a run may depend on it.
  - A state cannot reach the driver that runs it. So it works under any driver, such as a test.
*/
package fsm
