package plan

import (
	"slices"
	"strings"
)

// Check returns what is wrong with the plan as a graph, as an [*Error], or nil.
// It finds items without an id or a task, ids with characters that nobody sees, ids
// that are used twice (compared as [Plan.Revise] does), dependencies on what is not
// there, and one cycle for each knot of items that depend on one another. Notes alone
// are always right, and what was dropped does not count. It takes time linear in the
// plan.
func (p Plan) Check() error {
	if !p.Enforced() {
		return nil
	}
	return joined(p.kept().findings())
}

func (p Plan) findings() []*Finding {
	var found []*Finding
	at := make(map[string]int, len(p))
	ids := make(map[string]bool, len(p)) // folded
	for i := range p {
		e := &p[i]
		if strings.TrimSpace(e.Task) == "" {
			found = append(found, &Finding{ID: e.ID, Err: ErrNoTask})
		}
		if e.ID == "" {
			found = append(found, &Finding{Task: e.Task, Err: ErrNoID})
			continue
		}
		if invisible(e.ID) {
			found = append(found, &Finding{ID: e.ID, Err: ErrInvisible})
		}
		if key := Folded(e.ID); ids[key] {
			found = append(found, &Finding{ID: e.ID, Err: ErrDuplicate})
		} else {
			ids[key] = true
		}
		if _, twice := at[e.ID]; !twice {
			at[e.ID] = i
		}
	}
	// The graph, by position. Of two items with one id the first counts.
	graph := make([][]int, len(p))
	for i := range p {
		for _, id := range p[i].DependsOn {
			to, ok := at[id]
			switch {
			case !ok:
				found = append(found, &Finding{ID: p[i].ID, Task: unnamed(&p[i]), Path: []string{id}, Err: ErrUnknown})
			case id == p[i].ID:
				found = append(found, &Finding{ID: id, Path: []string{id, id}, Err: ErrCycle})
			default:
				graph[i] = append(graph[i], to)
			}
		}
	}
	for _, knot := range knots(graph) {
		path := p.cycle(graph, knot)
		found = append(found, &Finding{ID: path[0], Path: path, Err: ErrCycle})
	}
	return found
}

// unnamed is what an item without an id is called.
func unnamed(e *Entry) string {
	if e.ID == "" {
		return e.Task
	}
	return ""
}

// cycle returns the ids on a shortest way from the first of a knot's ids, by name,
// back to itself.
func (p Plan) cycle(graph [][]int, knot []int) []string {
	start := slices.MinFunc(knot, func(a, b int) int { return strings.Compare(p[a].ID, p[b].ID) })
	inside := make(map[int]bool, len(knot))
	for _, v := range knot {
		inside[v] = true
	}
	from := map[int]int{} // where the search came from
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for _, to := range graph[v] {
			if to == start {
				path := []string{p[start].ID}
				for ; v != start; v = from[v] {
					path = append(path, p[v].ID)
				}
				path = append(path, p[start].ID)
				slices.Reverse(path)
				return path
			}
			if _, seen := from[to]; !seen && inside[to] {
				from[to] = v
				queue = append(queue, to)
			}
		}
	}
	return []string{p[start].ID, p[start].ID} // not of a knot
}

// knots returns the groups of two or more nodes that can all reach one another
// (strongly connected components, by Tarjan's algorithm).
func knots(graph [][]int) [][]int {
	k := knotFinder{graph: graph, order: make([]int, len(graph)), low: make([]int, len(graph)), open: make([]bool, len(graph))}
	for v := range graph {
		if k.order[v] == 0 {
			k.visit(v)
		}
	}
	return k.found
}

type knotFinder struct {
	graph      [][]int
	order, low []int // order of the visit, from 1; the earliest that can be reached
	open       []bool
	stack      []int
	visited    int
	found      [][]int
}

func (k *knotFinder) visit(v int) {
	k.visited++
	k.order[v], k.low[v] = k.visited, k.visited
	first := len(k.stack)
	k.stack, k.open[v] = append(k.stack, v), true
	for _, to := range k.graph[v] {
		switch {
		case k.order[to] == 0:
			k.visit(to)
			k.low[v] = min(k.low[v], k.low[to])
		case k.open[to]:
			k.low[v] = min(k.low[v], k.order[to])
		}
	}
	if k.low[v] < k.order[v] {
		return
	}
	group := slices.Clone(k.stack[first:])
	k.stack = k.stack[:first]
	for _, member := range group {
		k.open[member] = false
	}
	if len(group) > 1 {
		k.found = append(k.found, group)
	}
}
