package blackboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// NewBlobs returns the descriptions of the blobs that changes of [Board.Changes]
// brought, so that whoever keeps the changes can keep their bytes as well, each
// once. The error is an [*Error] over [ErrCorrupt].
func NewBlobs(changes []byte) ([]Blob, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	in, err := decodeChanges(changes)
	if err != nil {
		return nil, err
	}
	return in.Blobs, nil
}

// Apply does to this board what was done to another one, according to changes of
// that one's [Board.Changes]. No bytes are no changes. The board must be as the
// other one was before: loaded from its JSON as it was at Track, with all changes
// since in their order. The bound of the board does not count, as in UnmarshalJSON.
//
// blob returns the bytes of a new blob by its ref; it may be nil while there are
// none. It is called without a lock, and only for blobs that the board does not
// have. Nil bytes without an error mean that nobody has them any more, because the
// blob was deleted before it could be kept: it is left out.
//
// The error is an [*Error] over [ErrCorrupt] when changes are no such text or do
// not fit the board, or over that of blob. Then the board is as it was.
func (b *Board) Apply(changes []byte, blob func(ref string) ([]byte, error)) error {
	if len(changes) == 0 {
		return nil
	}
	in, err := decodeChanges(changes)
	if err != nil {
		return err
	}
	blobs, err := b.fetch(in.Blobs, blob)
	if err != nil {
		return err
	}
	added, err := in.check(blobs)
	if err != nil {
		return &Error{"apply", "", fmt.Errorf("%w: %w", ErrCorrupt, err)}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if in.All {
		b.replace(added)
		return nil
	}
	if err := in.fit(&b.contents); err != nil {
		return &Error{"apply", "", fmt.Errorf("%w: %w", ErrCorrupt, err)}
	}
	in.commit(b, added)
	return nil
}

func decodeChanges(text []byte) (*changes, error) {
	in := &changes{}
	err := json.Unmarshal(text, in)
	if err == nil && in.Version != formatVersion {
		err = fmt.Errorf("version %d is not %d", in.Version, formatVersion)
	}
	if err != nil {
		return nil, &Error{"apply", "", fmt.Errorf("%w: %w", ErrCorrupt, err)}
	}
	return in, nil
}

// fetch returns the blobs with their bytes.
func (b *Board) fetch(wanted []Blob, blob func(string) ([]byte, error)) (map[string]storedBlob, error) {
	found := make(map[string]storedBlob, len(wanted))
	for _, w := range wanted {
		b.mu.RLock()
		stored, ok := b.blobs[w.Ref]
		b.mu.RUnlock()
		data := stored.data
		if !ok {
			if blob == nil {
				return nil, &Error{"apply", w.Ref, fmt.Errorf("%w: nobody has the blob", ErrCorrupt)}
			}
			var err error
			if data, err = blob(w.Ref); err != nil {
				return nil, &Error{"apply", w.Ref, err}
			}
			if data == nil {
				continue
			}
			data = slices.Clone(data)
		}
		found[w.Ref] = storedBlob{data, w.MediaType}
	}
	return found, nil
}

// check finds what is wrong with changes to whatever board, and returns what they
// add as the contents of a board of their own.
func (in *changes) check(blobs map[string]storedBlob) (*contents, error) {
	add := stored{Version: in.Version, Values: in.Values, Subtasks: in.Opened, Numbered: in.Numbered, Blobs: blobs}
	add.Lists = make(map[string][]json.RawMessage, len(in.Lists))
	for name, g := range in.Lists {
		if g.From < 0 || in.All && g.From > 0 {
			return nil, fmt.Errorf("list %q grows from %d items", clip(name), g.From)
		}
		add.Lists[name] = g.Items
	}
	added, err := add.contents()
	if err != nil {
		return nil, err
	}
	if in.All && len(in.Closed)+len(in.Deleted)+len(in.Dropped) > 0 {
		return nil, errors.New("what is no more there is named, but nothing is")
	}
	for _, name := range in.Deleted {
		if err := checkName(name); err != nil {
			return nil, fmt.Errorf("%q: %w", clip(name), err)
		}
		if _, set := in.Values[name]; set {
			return nil, fmt.Errorf("%q is set and deleted", clip(name))
		}
	}
	for _, ref := range in.Dropped {
		if _, put := blobs[ref]; put {
			return nil, fmt.Errorf("blob %q is put and deleted", clip(ref))
		}
	}
	seen := make(map[string]bool, len(in.Closed))
	for i := range in.Closed {
		if err := in.Closed[i].check(); err != nil {
			return nil, err
		}
		if id := in.Closed[i].ID; seen[id] {
			return nil, fmt.Errorf("sub-task %q is closed twice", clip(id))
		}
		seen[in.Closed[i].ID] = true
	}
	return added, nil
}

func (s *closed) check() error {
	if s.Status == "" {
		return fmt.Errorf("sub-task %d is closed without a status", s.N)
	}
	if s.Result != nil {
		data, err := normalValid(s.Result)
		if err != nil {
			return fmt.Errorf("sub-task %d: %w", s.N, err)
		}
		s.Result = data
	}
	return nil
}
