package atspi

import (
	"context"
	"image"
)

// screen is where places are counted from.
const screen = uint32(0)

// Children returns what is inside an object.
func (c *Client) Children(ctx context.Context, r Ref) ([]Ref, error) {
	return ask[[]Ref](ctx, c, r, ifAccessible+".GetChildren")
}

// ChildCount returns how many children an object has.
func (c *Client) ChildCount(ctx context.Context, r Ref) (int, error) {
	n, err := property[int32](ctx, c, r, ifAccessible, "ChildCount")
	return int(n), err
}

// Name returns the name of an object.
func (c *Client) Name(ctx context.Context, r Ref) (string, error) {
	return property[string](ctx, c, r, ifAccessible, "Name")
}

// Role returns what an object is, in the words of AT-SPI, such as "push button".
func (c *Client) Role(ctx context.Context, r Ref) (string, error) {
	return ask[string](ctx, c, r, ifAccessible+".GetRoleName")
}

// States are those of an object.
type States uint64

// The states that are used here. Each is one bit.
const (
	Active    States = 1 << 1
	Checked   States = 1 << 4
	Defunct   States = 1 << 6
	Editable  States = 1 << 7
	Enabled   States = 1 << 8
	Expanded  States = 1 << 10
	Focused   States = 1 << 12
	MultiLine States = 1 << 17
	Pressed   States = 1 << 20
	Selected  States = 1 << 23
	Sensitive States = 1 << 24
	Showing   States = 1 << 25
	Visible   States = 1 << 30
)

// Has reports whether all states of x are set.
func (s States) Has(x States) bool { return s&x == x }

// States returns the states of an object.
func (c *Client) States(ctx context.Context, r Ref) (States, error) {
	words, err := ask[[]uint32](ctx, c, r, ifAccessible+".GetState")
	var s States
	for i, word := range words {
		s |= States(word) << (32 * i)
	}
	return s, err
}

// LabelledBy returns the object that labels another.
func (c *Client) LabelledBy(ctx context.Context, r Ref) (Ref, bool, error) {
	type relation struct {
		Kind uint32
		To   []Ref
	}
	relations, err := ask[[]relation](ctx, c, r, ifAccessible+".GetRelationSet")
	const labelledBy = 2
	for _, rel := range relations {
		if rel.Kind == labelledBy && len(rel.To) > 0 {
			return rel.To[0], true, nil
		}
	}
	return Ref{}, false, err
}

// Extents returns the place of an object on the screen, and whether anything of it is there.
func (c *Client) Extents(ctx context.Context, r Ref) (image.Rectangle, bool, error) {
	b, err := ask[struct{ X, Y, W, H int32 }](ctx, c, r, ifComponent+".GetExtents", screen)
	// What is scrolled away is at the lowest number, one pixel large.
	const far = 1 << 15
	if err != nil || b.W <= 1 || b.H <= 1 || b.X < -far || b.Y < -far || b.X > far || b.Y > far || b.W > far || b.H > far {
		return image.Rectangle{}, false, err
	}
	return image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H)), true, nil
}

// At returns the object at a point of the screen, as deep inside r as the program looks; r itself, or none, where nothing of
// it is there.
func (c *Client) At(ctx context.Context, r Ref, at image.Point) (inside Ref, err error) {
	err = c.call(ctx, r, ifComponent+".GetAccessibleAtPoint", []any{&inside}, int32(at.X), int32(at.Y), screen)
	return inside, err
}

// GrabFocus gives an object the input focus, and reports whether the program says that it did.
func (c *Client) GrabFocus(ctx context.Context, r Ref) (bool, error) {
	return ask[bool](ctx, c, r, ifComponent+".GrabFocus")
}

// DoAction does the first thing that can be done with an object, such as press. That the program says
// so does not mean that it happened. A dialog that this opens may keep the program from answering.
func (c *Client) DoAction(ctx context.Context, r Ref) (bool, error) {
	return ask[bool](ctx, c, r, ifAction+".DoAction", int32(0))
}

// Length returns how many characters the text of an object has.
func (c *Client) Length(ctx context.Context, r Ref) (int, error) {
	n, err := property[int32](ctx, c, r, ifText, "CharacterCount")
	return int(n), err
}

// Text returns the text of an object, and no more than most characters of it; 0: all.
func (c *Client) Text(ctx context.Context, r Ref, most int) (text string, err error) {
	end := int32(-1)
	if most > 0 {
		n, err := c.Length(ctx, r)
		if err != nil || n == 0 {
			return "", err
		}
		if n > most {
			end = int32(most)
		}
	}
	err = c.call(ctx, r, ifText+".GetText", []any{&text}, int32(0), end)
	return text, err
}

// TextRun returns how the text of an object looks at an offset, in the program's words, such as weight and paragraph-style,
// and from where to where it looks so.
func (c *Client) TextRun(ctx context.Context, r Ref, offset int) (a map[string]string, from, to int, err error) {
	var first, end int32
	err = c.call(ctx, r, ifText+".GetAttributeRun", []any{&a, &first, &end}, int32(offset), true)
	return a, int(first), int(end), err
}

// CharBounds returns the place of a character on the screen.
func (c *Client) CharBounds(ctx context.Context, r Ref, offset int) (image.Rectangle, error) {
	var x, y, w, h int32
	err := c.call(ctx, r, ifText+".GetCharacterExtents", []any{&x, &y, &w, &h}, int32(offset), screen)
	return image.Rect(int(x), int(y), int(x+w), int(y+h)), err
}

// SetText replaces the text of an object, and reports whether the program says that it did.
func (c *Client) SetText(ctx context.Context, r Ref, text string) (bool, error) {
	return ask[bool](ctx, c, r, ifEditable+".SetTextContents", text)
}

// SelectedCount returns how many children of an object are selected.
func (c *Client) SelectedCount(ctx context.Context, r Ref) (int, error) {
	n, err := property[int32](ctx, c, r, ifSelection, "NSelectedChildren")
	return int(n), err
}

// TableSize returns how many rows and columns a table has.
func (c *Client) TableSize(ctx context.Context, r Ref) (rows, columns int, err error) {
	n, err := property[int32](ctx, c, r, ifTable, "NRows")
	if err != nil {
		return 0, 0, err
	}
	m, err := property[int32](ctx, c, r, ifTable, "NColumns")
	return int(n), int(m), err
}

// Cell returns a cell of a table. Rows and columns begin at 0.
func (c *Client) Cell(ctx context.Context, r Ref, row, column int) (Ref, error) {
	return ask[Ref](ctx, c, r, ifTable+".GetAccessibleAt", int32(row), int32(column))
}

// Parent returns what an object is in. Do not go up to find out in which window an object is: some
// programs name parents that do not have it.
func (c *Client) Parent(ctx context.Context, r Ref) (Ref, error) {
	return property[Ref](ctx, c, r, ifAccessible, "Parent")
}

// Value returns the number that an object has, such as that of a cell. A text has 0.
func (c *Client) Value(ctx context.Context, r Ref) (float64, error) {
	return property[float64](ctx, c, r, ifValue, "CurrentValue")
}

// Attributes returns what a program says about an object by names of its own.
func (c *Client) Attributes(ctx context.Context, r Ref) (map[string]string, error) {
	return ask[map[string]string](ctx, c, r, ifAccessible+".GetAttributes")
}
