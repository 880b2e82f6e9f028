package loosejson

// Repair is one thing that stood in a text and is no JSON, or not JSON alone.
type Repair uint8

// The repairs. The first ones are about what stands around the object.
const (
	Fence             Repair = iota // a Markdown fence
	Tags                            // <json> or the like
	Prose                           // other text around it
	Thoughts                        // <think>…</think>, dropped
	ByteOrderMark                   // at the start of the text
	Quoted                          // the object is inside a JSON string
	Repeated                        // the same object once more
	OddSpace                        // white space that JSON does not know, or a mark that nobody sees
	Comment                         // //, /* */ or #
	TrailingComma                   // behind the last element
	SingleQuotes                    // 'x'
	TypographicQuotes               // “x”
	FullWidth                       // ： or ， between values
	BareName                        // a name without quotes
	RawControl                      // a line break, or another control character, as it is in a string
	Escape                          // \' in double quotes
	Literal                         // True, None or the like
	MissingComma                    // at the end of a line, before a name
	Fraction                        // .5
	Listed                          // the object is the one element of a list
	SameName                        // a name once more, with the same value
	NumRepairs                      // how many there are
)

// Notes are the repairs that reading a text took.
type Notes struct {
	list [NumRepairs]Note
	any  bool
}

// Note says how often a repair was made, and where first.
type Note struct {
	Count  int
	Offset int // in bytes from the start of the text
}

// Of returns the note of one repair.
func (n *Notes) Of(r Repair) Note { return n.list[r] }

// Any reports whether there is a note at all.
func (n *Notes) Any() bool { return n.any }

// add notes a repair.
func (n *Notes) add(r Repair, offset int) {
	n.any = true
	note := &n.list[r]
	if note.Count == 0 || offset < note.Offset {
		note.Offset = offset
	}
	note.Count++
}

// clear forgets everything. There may be a million braces in prose, so it costs
// nothing where nothing is.
func (n *Notes) clear() {
	if n.any {
		*n = Notes{}
	}
}

// take adds the notes of a part. An offset that is not negative is the place of
// them all: that of the string which the part was in.
func (n *Notes) take(part *Notes, offset int) {
	if !part.any {
		return
	}
	for r := range part.list {
		p := part.list[r]
		if p.Count == 0 {
			continue
		}
		if offset >= 0 {
			p.Offset = offset
		}
		n.add(Repair(r), p.Offset)
		n.list[r].Count += p.Count - 1
	}
}
