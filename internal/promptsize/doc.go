// Package promptsize has everything that bounds a prompt of the built-in agents, in one
// list. A test of the packages that write prompts fails where one of them has a
// number of its own.
//
// A prompt is a system message, which is the program's own, and sections of JSON (see
// llm.Prompt). What is in them comes from strangers: windows, pages, tools, and what
// the model wrote before. So each entry of a section is cut, each section is, and so is what is
// fed back when a reply cannot be used. Only the request of the caller stays whole, and what a program says itself in Config.Prompt, Docs and Examples.
//
// Two things are not bounded here. What a program adds by deciding.Inquiry.Sections is its own; and
// with Config.MaxReasks below 0 each refused reply stays in the prompt of that step.
//
// Numbers are bytes, of the JSON or of the text, where nothing else is said. What was
// cut says so in its place (package clip), or has an entry left_out.
package promptsize

// Prompt is what all sections may have together, but for the request: about 250,000 tokens.
const Prompt = 1 << 20

// Sections divide the Prompt, with Knowledge. A longer one is shortened: texts are cut, lists lose their end, or
// their beginning where the end says more. What was cut has a $ref with which a model uses the whole, but for
// tools and steps. Applied in internal/builtin, Kept.Messages.
var Sections = map[string]int{
	// The program chose the servers.
	"tools":       256 << 10,
	"tool_groups": 16 << 10,

	"subtask":           Section,
	"previous_subtasks": Section,
	"history":           History,

	"windows":         96 << 10,
	"application":     7 << 9,
	"application_now": 7 << 9,
	"dialogs":         16 << 10,
	// Of a larger tree the dialogs at its top, and the outermost controls. There each control has an Output as
	// its name and one as its value, a Name as its type, and ControlWords.
	"controls":     Section,
	"not_observed": 16 << 10,

	// One that binds, of PlanItems, is whole.
	"plan":             256 << 10,
	"answers":          Section,
	"blackboard":       Board,
	"last_error":       4 << 10,
	"allowed_statuses": 1 << 10,
}

// Of is the bound of a section, or 0 for the request: half a task is another task.
func Of(section string) int {
	n, own := Sections[section]
	switch {
	case own:
		return n
	case section == "request":
		return 0
	}
	return Section
}

const (
	// Section is for each section that has no number of its own.
	Section = 32 << 10
	// Knowledge is for all sections of Config.Knowledge together. Each has a Section.
	Knowledge = 64 << 10
	// History loses steps when it has more, until it has half.
	History = 160 << 10
	// Step is for one step of it.
	Step = History/2 - len(",\n")
	// Board is for the section blackboard: what Board.Render gets.
	Board = 4 << 10
	// ControlWords is how many states, and how many actions, a control has, each a Name.
	ControlWords = 20
	// ToolText is for what a tool says of itself where replies are calls: providers refuse more than 1 KiB.
	ToolText = 960
	// Group is for what a group of tools is for, in the section tool_groups.
	Group = 1 << 10
)

// The section history, and what is remembered for it.
const (
	// Steps is how many steps are shown: Config.MaxMemory, unless it is set.
	Steps = 10
	// Memory is how many steps are kept, for a higher MaxMemory and for what is saved, and as trajectories on the
	// blackboard at least.
	Memory = 200
	// Output is for each text that is remembered of a step: an action's output and
	// error, a text in the decision, a note. So is the result of a sub-task, and
	// its reason, and the section last_error. What is longer is on the
	// blackboard, and its head is shown with a $ref.
	Output = 2 << 10
	// Context is for the facts of a sub-task that a host writes. More is fed back.
	Context = 4 << 10
	// Decision is for a whole decision: some long texts.
	Decision = 8 * Output
	// Actions is how many one decision may have, each with an Output in the history:
	// Config.MaxActions, unless it is set. More are fed back.
	Actions = 20
	// Named is how many controls one call may name. More are fed back.
	Named = 100
	// ActError is for the error of an action in a step on the blackboard.
	ActError = 200
)

// The section previous_subtasks.
const (
	// PreviousSubtasks is how many are shown, the latest ones, each with an Output as
	// its result and one as its reason.
	PreviousSubtasks = 50
)

// The section plan.
const (
	// PlanItems is how many items a Plan may have.
	// More are fed back.
	PlanItems = 100
	// PlanTask is for what an item is to do.
	PlanTask = 2 << 10
	// PlanName is for an id or an application.
	PlanName = 120
)

// The section answers: what the model may ask a person in one reply. More is fed back.
const (
	Questions = 20
	Question  = 4 << 10
)

// The section not_observed.
const (
	// UnusableTools is how many tools are named that the desktop has and that cannot
	// be used.
	UnusableTools = 10
	// UnusableSections is how many sections of Config.Knowledge are named that cannot be used.
	UnusableSections = 10
	// Name is for the name of a tool, and for any name that the model made up and
	// that is quoted to it.
	Name = 64
)

// What is fed back when a reply cannot be used, once for each of Reasks.
const (
	// Reasks is how often the model is asked again: Config.MaxReasks, unless it is set.
	Reasks = 3
	// Replans is how often a host may plan anew, and an answer may be found wrong:
	// Config.MaxReplans, unless it is set.
	Replans = 3
	// Written is how much of a reply is read: of its text, and of the arguments of its calls together. All that
	// follows is done with them, and no model writes as much.
	Written = 1 << 20

	// Reply is for the refused reply, which is quoted to the model.
	Reply = 16 << 10
	// Reason is for what was wrong with it. Errors quote less each, but there may be
	// several.
	Reason = 2 << 10
	// Listed is how many ids a reason names, such as the items that are ready.
	Listed = 20
	// Perhaps is how many controls a target names that may be at its point.
	Perhaps = 3
	// Open is for what a refused FINISH left open, all that it names: a Reason has room for it.
	Open = 1500
	// Path is how many ids it names of a way around a cycle.
	Path = 12
	// Phrase is for a task that it quotes; ids have PlanName.
	Phrase = 500
	// Applications is how many it names of those that could have been chosen.
	Applications = 10
	// Title is for the title of one of them.
	Title = 80
	// Owners is how many windows may own one another before the first of them is not looked for.
	Owners = 100
)

// An excerpt of the blackboard, as Board.Render makes it of any board.
const (
	// Excerpt is what Render(0) has. The prompts of built-in agents have Board.
	Excerpt = 8 << 10
	// ExcerptShare is what a value gets at least that is shown in part; less shows
	// nothing of use.
	ExcerptShare = 256
	// ExcerptNames is how many names are listed of what was left out.
	ExcerptNames = 50
)
