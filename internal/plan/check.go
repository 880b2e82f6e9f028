package plan

import (
	"slices"
	"strings"
)

// Check returns what is wrong with the plan as a graph, as an [*Error], or nil.
// It finds items without an id or a task, ids with characters that nobody sees, ids
// that are used twice (compared as [Plan.Revise] does), dependencies on what is not
// there, and one cycle for each knot of items that depend on one another. Notes alone
// are always right, and what was dropped does not count.
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
	return append(found, p.cycles(graph)...)
}

// unnamed is what an item without an id is called.
func unnamed(e *Entry) string {
	if e.ID == "" {
		return e.Task
	}
	return ""
}

// cycles finds the shortest way from an item back to itself: one in each knot of items that all lead to one another,
// from the first of their ids.
func (p Plan) cycles(graph [][]int) (found []*Finding) {
	backwards := make([][]int, len(graph))
	order := make([]int, len(graph))
	for v, list := range graph {
		order[v] = v
		for _, to := range list {
			backwards[to] = append(backwards[to], v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(p[a].ID, p[b].ID) })
	known := map[int]bool{}
	for _, start := range order {
		if known[start] {
			continue
		}
		from := reach(graph, start)
		if _, back := from[start]; !back {
			continue
		}
		path := []string{p[start].ID}
		for v := from[start]; v != start; v = from[v] {
			path = append(path, p[v].ID)
		}
		path = append(path, p[start].ID)
		slices.Reverse(path)
		found = append(found, &Finding{ID: path[0], Path: path, Err: ErrCycle})
		for v := range reach(backwards, start) {
			if _, both := from[v]; both {
				known[v] = true
			}
		}
	}
	return found
}

// reach finds all to which a node leads, itself if there is a way back, and the node before each on a shortest way.
func reach(graph [][]int, start int) map[int]int {
	from := map[int]int{}
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range graph[queue[0]] {
			if _, seen := from[to]; !seen {
				from[to] = queue[0]
				queue = append(queue, to)
			}
		}
	}
	return from
}
