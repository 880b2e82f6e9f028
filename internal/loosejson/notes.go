package loosejson

import "slices"

// Notes are the repairs that reading a text took, each kind once.
type Notes []Note

// Note says how often a repair was made, and where first.
type Note struct {
	Kind   string // of package repair
	Count  int
	Offset int // in bytes from the start of the text
}

func (n Notes) has(kind string) bool {
	return slices.ContainsFunc(n, func(note Note) bool { return note.Kind == kind })
}

// add notes a repair.
func (n *Notes) add(kind string, offset int) { n.addAll(Note{kind, 1, offset}) }

func (n *Notes) addAll(more Note) {
	for i := range *n {
		if note := &(*n)[i]; note.Kind == more.Kind {
			note.Count += more.Count
			note.Offset = min(note.Offset, more.Offset)
			return
		}
	}
	if *n == nil {
		*n = make(Notes, 0, 4) // a reply in a fence has two or three
	}
	*n = append(*n, more)
}

// take adds the notes of a part. An offset that is not negative is the place of
// them all: that of the string which the part was in.
func (n *Notes) take(part Notes, offset int) {
	for _, note := range part {
		if offset >= 0 {
			note.Offset = offset
		}
		n.addAll(note)
	}
}
