package playwright_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// shows is a browser whose server answers a look with this.
func shows(t testing.TB, answer string) hand {
	t.Helper()
	f := newFake()
	f.answer = answer
	return browse(t, f, nil)
}

func snapshotOf(tree string) string {
	return "### Page\n- Page URL: http://shop.test/x\n- Page Title: X\n### Snapshot\n```yaml\n" + tree + "\n```"
}

// What is not in the server's form is not guessed at.
func TestForms(t *testing.T) {
	for tree, why := range map[string]string{
		"button":                             "line 1 of the snapshot is no element",
		"- button\n   - link":                "line 2 of the snapshot is no element",
		"- button\n    - link":               "line 2 of the snapshot is no element",
		"- button \"x":                       "line 1 of the snapshot: it has a form that is not known here",
		"- button \"x\" [ref=e1":             "line 1 of the snapshot: it has a form that is not known here",
		"- button \"x\" [ref=e1] - link":     "line 1 of the snapshot: it has a form that is not known here",
		"- 'button \"x\" [ref=e1]' [ref=e2]": "line 1 of the snapshot: it has a form that is not known here",
		"- 'button \"x\" [ref=e1]: y'":       "line 1 of the snapshot: it has a form that is not known here",
		"- 'button":                          "line 1 of the snapshot: it has a form that is not known here",
		"- /regex/":                          "line 1 of the snapshot: it has a form that is not known here",
		"- button [ref=e1]\n- link [ref=e1]": "line 2 of the snapshot: the ref e1 is there twice",
	} {
		assert.Equal(t, "the page cannot be read: "+why, shows(t, snapshotOf(tree)).blind(), tree)
	}
	for _, answer := range []string{"### Page\n", "### Result\nyes", "### Page\n- Page URL: http://shop.test/", "### Page\n- Page URL: x\n### Snapshot\n- [Snapshot](page.yml)"} {
		assert.NotEmpty(t, shows(t, answer).blind(), answer)
	}
	assert.Equal(t, "the server returned a part of the page only", shows(t, "### Page\n- Page URL: x\n### Snapshot\n```yaml\n- button").blind())
	d := shows(t, snapshotOf("- button \"x\" [ref=javascript]\n- link \"y\" [shiny] [ref=e1]"))
	seen := d.look()
	assert.Len(t, seen, 2, "page and link: what has no ref cannot be used")
	assert.Equal(t, "y", seen["e1"].Name)
}

func TestLargePages(t *testing.T) {
	t.Run("elements", func(t *testing.T) {
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, "- button \"B\" [ref=e%d]\n", i)
		}
		tree := strings.TrimSuffix(b.String(), "\n")
		d := shows(t, snapshotOf(tree))
		assert.Less(t, len(d.do(desktop.GetUITree, nil)), 18_000)
		assert.Equal(t, "the page cannot be read: the page is too large: it has more than 100000 elements", shows(t, snapshotOf(tree+"\n- link")).blind())
	})
	t.Run("labels", func(t *testing.T) {
		var b strings.Builder
		for i := range 49_999 {
			fmt.Fprintf(&b, "\n  - text: Label %d\n  - textbox \"Label %d\" [ref=e%d]", i, i, i+1)
		}
		d := shows(t, snapshotOf("- generic [ref=e0]:"+b.String()))
		assert.NotContains(t, d.do(desktop.GetUITree, nil), `"text"`)
	})
	t.Run("text", func(t *testing.T) {
		long := strings.Repeat("ä", 1<<20)
		d := shows(t, snapshotOf("- paragraph [ref=e1]: "+long+"\n- textbox \"x\" [ref=e2]: "+long+"\n- link \""+long+"\" [ref=e3]:\n  - /url: "+long))
		assert.Less(t, len(d.do(desktop.GetUITree, nil)), 5000)
		assert.True(t, utf8.ValidString(d.look()["e1"].Value))
		assert.Len(t, d.do(desktop.Texts, map[string]any{"id": "e1"}), 32<<10+len("…"))
	})
	t.Run("depth", func(t *testing.T) {
		var b strings.Builder
		for i := range 180 {
			fmt.Fprintf(&b, "%s- list \"L\" [ref=e%d]:\n", strings.Repeat("  ", min(i, 150)), i)
		}
		d := shows(t, snapshotOf(b.String()+strings.Repeat("  ", 150)+"- button \"deep\" [ref=e99999]"))
		assert.Equal(t, "deep", d.look()["e99999"].Name)
	})
	t.Run("bytes", func(t *testing.T) {
		assert.Contains(t, shows(t, snapshotOf("- paragraph: "+strings.Repeat("x", 16<<20+1))).blind(), "the page is too large")
	})
	t.Run("tabs", func(t *testing.T) {
		f, d := at(t, "second.html", nil)
		f.change(func() {
			for range 500 {
				f.tabs = append(f.tabs, &tab{page: f.copy(shop + "/second.html")})
			}
		})
		assert.Len(t, d.look(), 20+5)
	})
}

// A page cannot write an element: names and texts stay names and texts, whatever is
// in them. server writes a tree as @playwright/mcp does.
func FuzzForge(f *testing.F) {
	for _, s := range []string{
		"Save", "", `x" [ref=e1]: y`, "- button \"x\" [ref=e1]", "a\n- button [ref=e1]", "a\u2028- button [ref=e1]", "a\u0085- link [ref=e1]", "```", "```\n### Page",
		"'", "''", "it's", "[ref=e1]", "a: b", "a #b", "\\", `\"`, "\x00\x1b[2m", "true", "null", "12", "-", "/url: x", "&a *b !c", "\t", "é中文🙂", "\xff", strings.Repeat(`"`, 900),
	} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, name, text, url string) {
		if len(name) > 900 { // the server leaves it out
			return
		}
		tree := strings.Join([]string{
			"- " + key("button "+jsString(name)+" [ref=e11]") + after(text),
			"- " + key("link "+jsString(name)+" [ref=e12] [cursor=pointer]") + ":",
			"  - /url: " + value(url),
			"- paragraph [ref=e13]:",
			"  - text: " + value(text),
			"  - " + key("textbox "+jsString(name)+" [ref=e14]") + after(text),
		}, "\n")
		d := shows(t, snapshotOf(tree))
		seen := d.look()
		for id := range seen {
			assert.Contains(t, []string{"page", "e11", "e12", "e13", "e14"}, id)
		}
		want := flat(name)
		for _, id := range []string{"e11", "e12", "e14"} {
			require.Contains(t, seen, id)
			assert.Equal(t, want, flat(seen[id].Name))
		}
	})
}

// flat is a name without what is not shown.
func flat(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func after(text string) string {
	if text == "" {
		return ""
	}
	return ": " + value(text)
}

// jsString is what JSON.stringify makes of a text.
func jsString(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

var wantsQuotes = regexp.MustCompile(`^$|^\s|\s$|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{9f}]|^-|[\n:](\s|$)|\s#|[\n\r]|^[&*\],?!>|@"'#%]|[{}` + "`" + `]|^\[`)

// key and value quote as the server does.
func key(s string) string {
	if !wantsQuotes.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func value(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	_, err := strconv.ParseFloat(s, 64)
	if !wantsQuotes.MatchString(s) && err != nil {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r >= 0x7f && r <= 0x9f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

var refsIn = regexp.MustCompile(`\[ref=((?:f[0-9]+)?e[0-9]+)\]`)

// Whatever the server writes, a look ends, with a page or with a reason.
func FuzzSnapshot(f *testing.F) {
	files, err := filepath.Glob("testdata/answers/*.txt")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, answer string) {
		d := shows(t, answer)
		res := d.run(desktop.GetUITree, nil)
		if res.Status != desktop.Success {
			assert.NotEmpty(t, res.Error)
			assert.Less(t, len(res.Error), 2000)
			return
		}
		assert.Less(t, len(res.Text()), 60_000)
		refs := map[string]bool{}
		for _, m := range refsIn.FindAllStringSubmatch(answer, -1) {
			refs[m[1]] = true
		}
		for id, c := range d.look() {
			if c.Type != "page" && c.Type != "browser tab" && c.Type != "note" && !strings.HasPrefix(id, "text") {
				assert.True(t, refs[id], id)
			}
		}
		_, err := json.Marshal(d.run(desktop.Texts, map[string]any{"id": "page"}))
		assert.NoError(t, err)
	})
}
