package playwright

import (
	"regexp"
	"strconv"
	"strings"
)

// sight is what the server said of the page at one moment.
type sight struct {
	url    string
	title  string
	status string // of HTTP, when it is no success
	tabs   []tab
	tab    int // the one that commands act on
	nodes  []*node
	dialog *dialog // that is open; nothing else can be seen then
}

// tab is as the page in it calls itself; nobody has checked url.
type tab struct {
	title, url string // clipped
	current    bool
}

// dialog is a question of the page (alert, confirm, prompt, beforeunload), or of the
// browser for files (filechooser).
type dialog struct {
	kind    string
	message string
}

const fileChooser = "filechooser"

// sections splits an answer at the lines that begin with ###. Only lines that the
// server wrote begin so, with one exception: a dialog's message can have lines, and
// is the end of what is read (see modal).
func sections(answer string) map[string]string {
	found := map[string]string{}
	name := ""
	var body []string
	end := func() {
		if _, again := found[name]; !again { // the server has each once; the first is not the page's
			found[name] = strings.Join(body, "\n")
		}
		body = nil
	}
	for line := range strings.SplitSeq(answer, "\n") {
		if title, ok := strings.CutPrefix(line, "### "); ok {
			end()
			name = title
			continue
		}
		body = append(body, line)
	}
	end()
	return found
}

// modal reads which dialog is open, nil for none.
//
//   - ["confirm" dialog with message "Really?"]: can be handled by browser_handle_dialog
//
// The message goes up to the last end of that form: it may have lines, and others
// that look like these.
func modal(answer string) *dialog {
	const (
		head   = "### Modal state\n"
		middle = `" dialog with message "`
		tail   = `"]: can be handled by`
	)
	at := strings.Index("\n"+answer, "\n"+head)
	if at < 0 {
		return nil
	}
	state := answer[at+len(head):]
	if strings.HasPrefix(state, "- [File chooser]") {
		return &dialog{kind: fileChooser, message: "a file is to be chosen"}
	}
	kind, ok := strings.CutPrefix(state, `- ["`)
	if !ok {
		return &dialog{kind: "unknown", message: clip(firstLine(state), maxName)}
	}
	kind, message, ok := strings.Cut(kind, middle)
	if !ok {
		return &dialog{kind: "unknown", message: clip(firstLine(state), maxName)}
	}
	if end := strings.LastIndex(message, tail); end >= 0 {
		message = message[:end]
	}
	return &dialog{kind: clip(kind, 20), message: clip(oneLine(message), maxName)}
}

// fence is what a snapshot is in.
const (
	fenceBegin = "```yaml\n"
	fenceEnd   = "\n```"
)

// readPage reads the answer of browser_snapshot.
func readPage(answer string) (*sight, error) {
	parts := sections(answer)
	s := &sight{}
	page, ok := parts["Page"]
	if ok {
		page, ok = strings.CutPrefix(page, "- Page URL: ")
	}
	if !ok {
		return nil, refuse("the server did not say which page it is: %s", clip(firstLine(answer), 200))
	}
	// The title is behind it, and no part of it: titles have no lines.
	s.url, page, _ = strings.Cut(page, "\n")
	for line := range strings.SplitSeq(page, "\n") {
		if title, ok := strings.CutPrefix(line, "- Page Title: "); ok && s.title == "" {
			s.title = clip(oneLine(title), maxName)
		}
		if status, ok := strings.CutPrefix(line, "- HTTP status: "); ok {
			s.status = clip(oneLine(status), 60)
		}
	}
	s.tabs, s.tab = readTabs(parts["Open tabs"])
	tree, ok := strings.CutPrefix(parts["Snapshot"], fenceBegin)
	if !ok {
		return nil, refuse("the server did not return what is on the page")
	}
	end := strings.LastIndex(tree, fenceEnd)
	if end < 0 {
		return nil, refuse("the server returned a part of the page only")
	}
	nodes, err := parse(tree[:end])
	if err != nil {
		return nil, refuse("the page cannot be read: %v", err)
	}
	s.nodes = nodes
	return s, nil
}

var tabLine = regexp.MustCompile(`^- ([0-9]{1,6}): (\(current\) )?\[(.*)\]\((.*)\)$`)

// readTabs reads the list of tabs, and which one is current. A page can write a title
// that looks like the end of the line, so url is only what is shown, and is checked
// when the tab is selected.
func readTabs(list string) (tabs []tab, current int) {
	for line := range strings.SplitSeq(list, "\n") {
		m := tabLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if number, err := strconv.Atoi(m[1]); err != nil || number != len(tabs) {
			continue
		}
		if m[2] != "" {
			current = len(tabs)
		}
		tabs = append(tabs, tab{title: clip(oneLine(m[3]), maxName), url: clip(m[4], maxURL), current: m[2] != ""})
	}
	return tabs, current
}

// currentURL returns the URL of the current tab while a dialog is open: the server then knows no titles. "" if that cannot be told.
func currentURL(list string) string {
	for line := range strings.SplitSeq(list, "\n") {
		if m := tabLine.FindStringSubmatch(line); m != nil && m[2] != "" {
			if _, url, ok := strings.Cut(line, "(current) []("); ok {
				return strings.TrimSuffix(url, ")")
			}
		}
	}
	return ""
}
