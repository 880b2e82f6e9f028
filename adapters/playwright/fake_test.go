package playwright_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
)

// fake is @playwright/mcp in memory: its tools, as they were recorded, and pages
// whose trees were recorded as well. It answers in the server's form.
type fake struct {
	tools []desktop.Tool
	box   *desktop.Toolbox
	shot  []byte

	mu      sync.Mutex
	pages   map[string]*page // what is served
	tabs    []*tab
	current int
	modal   string // as the server describes it; "" for none
	onModal func(accept bool, text string)
	closed  bool     // somebody killed the browser
	calls   []string // tool and arguments of all but snapshots
	looks   int      // snapshots
	err     error    // of the transport
	hang    bool     // no answer before the context ends
	no      string   // why the next act fails
	late    string   // what the next click says instead of its success
	answer  string   // of the next snapshot, as it is
	instead string   // the option that is chosen in place of another
}

// page is a page that is served, or one that is open.
type page struct {
	url, title, tree string
	status           string                               // of HTTP
	click            map[string]func(f *fake, here *page) // by ref
}

type tab struct {
	page    *page
	history []*page
}

const shop = "http://shop.test"

// recorded is what all fakes share: reading it takes a while.
var recorded = sync.OnceValue(func() *fake {
	f := &fake{}
	raw, err := os.ReadFile("testdata/tools.json")
	must(err)
	must(json.Unmarshal(raw, &f.tools))
	f.box, err = desktop.NewToolbox(f.tools, nil)
	must(err)
	var picture bytes.Buffer
	must(png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 3))))
	f.shot = picture.Bytes()
	return f
})

// newFake returns a browser with an empty page, and a shop to visit.
func newFake() *fake {
	f := &fake{pages: map[string]*page{}, tabs: []*tab{{page: &page{url: "about:blank"}}}}
	r := recorded()
	f.tools, f.box, f.shot = slices.Clone(r.tools), r.box, r.shot
	f.serve(shop+"/form.html", "New order", tree("form"))
	f.serve(shop+"/table.html", "Orders", tree("orders"))
	f.serve(shop+"/second.html", "Second page", tree("second"))
	f.serve("http://elsewhere.test/", "Elsewhere", "- button \"Send\" [ref=e2]")
	f.pages[shop+"/form.html"].click = map[string]func(*fake, *page){
		"e11": func(_ *fake, here *page) { here.edit(` [checked] [ref=e11]`, ` [ref=e11]`) },
		"e19": func(f *fake, _ *page) { f.ask("[File chooser]: can be handled by browser_file_upload", nil) },
		"e23": func(f *fake, _ *page) { f.open(shop + "/second.html") },
		"e25": func(f *fake, _ *page) { f.open(shop + "/second.html") },
		"e26": func(f *fake, _ *page) { f.tabs = append(f.tabs, &tab{page: f.copy(shop + "/second.html")}) },
		"e27": func(f *fake, _ *page) { f.open(shop + "/table.html") },
		"e28": func(f *fake, here *page) {
			f.dialog("confirm", "Really send it?", func(yes bool, _ string) { here.title = map[bool]string{true: "sent", false: "not sent"}[yes] })
		},
		"e29": func(f *fake, here *page) { f.dialog("alert", "Saved", func(bool, string) { here.title = "saved" }) },
		"e30": func(f *fake, here *page) {
			f.dialog("prompt", "Your name?", func(_ bool, name string) { here.title = "hello " + name })
		},
		"e33": func(_ *fake, here *page) { here.edit(`"Rename me" [ref=e33]`, `"Delete everything" [ref=e44]`) },
		"e32": func(f *fake, _ *page) { f.open("http://elsewhere.test/") },
		"e43": func(f *fake, _ *page) { f.open("http://elsewhere.test/") },
	}
	return f
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// tree is that of a recorded answer.
func tree(name string) string {
	raw, err := os.ReadFile("testdata/answers/" + name + ".txt")
	must(err)
	_, text, _ := strings.Cut(strings.ReplaceAll(string(raw), "\r\n", "\n"), "```yaml\n")
	text, _, _ = strings.Cut(text, "\n```\n")
	return text
}

func (f *fake) serve(url, title, tree string) {
	f.pages[url] = &page{url: url, title: title, tree: tree}
}

// here is the page in front, for tests between calls.
func (f *fake) here() *page {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tabs[f.current].page
}

// change changes the browser between calls.
func (f *fake) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
}

func (p *page) edit(old, now string) { p.tree = strings.ReplaceAll(p.tree, old, now) }

func (f *fake) copy(url string) *page {
	served, ok := f.pages[url]
	if !ok {
		return &page{url: "chrome-error://chromewebdata/", title: url, tree: `- heading "There is nothing" [level=1] [ref=e7]`}
	}
	c := *served
	return &c
}

func (f *fake) open(url string) {
	t := f.tabs[f.current]
	t.history = append(t.history, t.page)
	t.page = f.copy(url)
}

func (f *fake) dialog(kind, message string, then func(bool, string)) {
	f.ask(fmt.Sprintf("[%q dialog with message \"%s\"]: can be handled by browser_handle_dialog", kind, message), then)
}

func (f *fake) ask(modal string, then func(bool, string)) { f.modal, f.onModal = modal, then }

// kill ends the browser. The server starts another when it is called again.
func (f *fake) kill() { f.change(func() { f.closed = true }) }

func (f *fake) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return slices.Clone(f.tools), f.err
}
