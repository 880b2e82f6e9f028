package fsm

// AnyKind as an edge's Kind: control goes to another agent, whatever its kind.
const AnyKind = "*"

// Edge is one cell of the transition matrix: a step that a table permits.
type Edge struct {
	From Status // "": the start
	// To is the status entered. "" with a Kind: the start of the agent entered,
	// whatever its table calls it.
	To Status
	// Kind is the kind of agent entered: "" the same agent, [AnyKind] any other
	// agent, else another agent of the kind of that name.
	Kind string
	// By names the causes that may lead along the edge. A Handle that decides with another
	// cause is refused. A decision without a cause counts as [BySystem].
	By Cause
}

func (e Edge) target() string {
	to := string(e.To)
	if to == "" && e.Kind != "" {
		to = "start"
	}
	switch e.Kind {
	case "":
		return to
	case AnyKind:
		return "another agent." + to
	}
	return e.Kind + "." + to
}

// mergeEdges appends edges to list; an edge that is there already only adds
// its causes.
func mergeEdges(list []Edge, edges []Edge) []Edge {
next:
	for _, e := range edges {
		for i := range list {
			if old := &list[i]; old.From == e.From && old.To == e.To && old.Kind == e.Kind {
				old.By |= e.By
				continue next
			}
		}
		list = append(list, e)
	}
	return list
}
