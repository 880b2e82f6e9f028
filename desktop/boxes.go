package desktop

import (
	"bytes"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// boxes are the Toolboxes that somebody holds. An agent lists the tools of its desktop in
// every step, and they are mostly those of the step before, and of its neighbours.
var boxes = shelf{seed: maphash.MakeSeed(), held: map[uint64]weak.Pointer[Toolbox]{}}

// shelf finds a Toolbox by its tools, as long as it is in use.
type shelf struct {
	seed maphash.Seed
	mu   sync.Mutex
	held map[uint64]weak.Pointer[Toolbox]
}

// open returns the Toolbox of these tools, checked without a Validator.
func (s *shelf) open(tools []Tool) *Toolbox {
	key := s.hash(tools)
	s.mu.Lock()
	box := s.held[key].Value()
	s.mu.Unlock()
	if box != nil && slices.EqualFunc(box.given, tools, sameTool) {
		return box
	}
	box, _ = Validator(nil).sorted(tools)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[key] = weak.Make(box) // two of one hash push each other out
	runtime.AddCleanup(box, s.drop, key)
	return box
}

func (s *shelf) drop(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[key].Value() == nil { // else it is another one by now
		delete(s.held, key)
	}
}

func (s *shelf) hash(tools []Tool) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for i := range tools {
		_, _ = h.WriteString(tools[i].Name) // a Hash has no errors
		_ = h.WriteByte(0)
		_, _ = h.Write(tools[i].InputSchema)
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

func sameTool(a, b Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Annotations == b.Annotations && a.Origin == b.Origin && a.Group == b.Group &&
		bytes.Equal(a.InputSchema, b.InputSchema)
}
