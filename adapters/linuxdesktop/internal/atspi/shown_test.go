package atspi_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi/atspitest"
)

// run is a part of a text that looks alike, as a program says it. Of what is hidden the program gives no text.
type styled struct {
	text   string
	looks  map[string]string
	hidden bool
}

func plain(text string) styled { return styled{text: text} }

func looks(text, name, value string) styled {
	return styled{text: text, looks: map[string]string{name: value}}
}

// paragraph answers as a program does whose only object, of this role, has a text of runs. LibreOffice counts in units of
// UTF-16, others in characters.
func paragraph(role string, units bool, runs ...styled) func(atspitest.Call) ([]any, error) {
	length := func(text string) int32 {
		if units {
			return int32(len(utf16.Encode([]rune(text))))
		}
		return int32(len([]rune(text)))
	}
	var whole strings.Builder
	for _, r := range runs {
		if !r.hidden {
			whole.WriteString(r.text)
		}
	}
	return func(c atspitest.Call) ([]any, error) {
		switch c.Method {
		case "org.a11y.atspi.Accessible.GetState":
			return []any{[]uint32{uint32(atspi.Showing), 0}}, nil
		case "org.a11y.atspi.Accessible.GetRoleName":
			return []any{role}, nil
		case "org.a11y.atspi.Component.GetExtents":
			return []any{struct{ X, Y, W, H int32 }{1, 2, 30, 40}}, nil
		case "org.freedesktop.DBus.Properties.Get":
			switch c.Body[1] {
			case "Name":
				return []any{dbus.MakeVariant("")}, nil
			case "CharacterCount":
				return []any{dbus.MakeVariant(length(whole.String()))}, nil
			}
			return []any{dbus.MakeVariant(int32(0))}, nil
		case "org.a11y.atspi.Text.GetText":
			return []any{whole.String()}, nil
		case "org.a11y.atspi.Text.GetAttributeRun":
			at, from := c.Body[0].(int32), int32(0)
			for _, r := range runs {
				to := from + length(r.text)
				if r.hidden {
					to = from
				}
				if at < to || r.hidden && at == from {
					return []any{r.looks, from, to}, nil
				}
				from = to
			}
			return []any{map[string]string{}, from, from}, nil
		}
		return nil, dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownMethod"}
	}
}

// What looks say of a text is a part of it: 12 and a raised 3 is not 123.
func TestTextAsItLooks(t *testing.T) {
	t.Parallel()
	const change, align = "text-tracked-change", "vertical-align"
	hidden := func(text string) styled {
		return styled{text: text, looks: map[string]string{"invisible": "true"}, hidden: true}
	}
	for name, c := range map[string]struct {
		runs []styled
		want string
	}{
		"plain":                    {[]styled{plain("1204")}, "1204"},
		"deleted and inserted":     {[]styled{looks("10", change, "deletion"), looks("25", change, "insertion")}, "25"},
		"deleted":                  {[]styled{looks("10", change, "deletion")}, ""},
		"a new format":             {[]styled{looks("10", change, "attribute-change")}, "10"},
		"a mark of a note":         {[]styled{plain("1204"), looks("1", align, "14000%")}, "1204¹"},
		"a power":                  {[]styled{plain("10"), looks("-3", align, "super"), plain(" m")}, "10⁻³ m"},
		"a power of a page":        {[]styled{plain("10"), looks("3", "text-position", "super")}, "10³"},
		"raised by hand":           {[]styled{plain("1204"), looks("7", align, "67%")}, "1204⁷"},
		"raised in pixels":         {[]styled{plain("1204"), looks("7", "rise", "5120")}, "1204⁷"},
		"lowered":                  {[]styled{plain("H"), looks("2", align, "-14000%"), plain("O")}, "H₂O"},
		"on the line":              {[]styled{looks("12", align, "baseline"), looks("3", "rise", "0")}, "123"},
		"letters":                  {[]styled{plain("1"), looks("st", align, "14000%")}, "1st"},
		"struck in part":           {[]styled{{text: "10", looks: map[string]string{"strikethrough": "single"}}, plain("25")}, "~~10~~25"},
		"struck as a whole":        {[]styled{{text: "10", looks: map[string]string{"strikethrough": "true"}}}, "10"},
		"signs of another font":    {[]styled{looks("2", "family-name", "Wingdings"), plain("5")}, "\uf0325"},
		"hidden at the end":        {[]styled{plain("12"), hidden("99")}, "12"},
		"hidden then plain":        {[]styled{plain("12"), hidden("99"), plain("34")}, "1234"},
		"hidden then nobody says":  {[]styled{plain("12"), hidden("99"), looks("3", align, "14000%")}, "12\ufffd3"},
		"hidden then a word":       {[]styled{plain("12"), hidden("99"), plain("m")}, "12m"},
		"a character of two units": {[]styled{plain("😀10"), looks("3", align, "14000%")}, "😀10³"},
	} {
		for _, units := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", units), func(t *testing.T) {
				t.Parallel()
				n, _, err := serve(t, paragraph("paragraph", units, c.runs...)).Read(t.Context(), top)
				require.NoError(t, err)
				assert.Equal(t, c.want, n.Text)
			})
		}
	}
}

// The text of a field is what was typed, and is read back as that.
func TestTextOfAFieldIsAsItIs(t *testing.T) {
	t.Parallel()
	n, _, err := serve(t, paragraph("text", false, looks("10", "text-tracked-change", "deletion"))).Read(t.Context(), top)
	require.NoError(t, err)
	assert.Equal(t, "10", n.Text)
}
