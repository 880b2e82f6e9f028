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
	status string // of HTTP, if it is no success
	tabs   []tab
	tab    int // the current one
	nodes  []*node
	dialog *dialog // that is open; nothing else can be seen then
}

// tab is a browser tab as the page in it calls itself.
type tab struct {
	title, url string
	current    bool
}

// dialog is a question of the page (alert, confirm, prompt, beforeunload), or of the
// browser for files (filechooser).
type dialog struct{ kind, message string }

const fileChooser = "filechooser"

// blocked is the refusal of an act while a dialog is open.
func (s *sight) blocked() error {
	if s.dialog == nil {
		return nil
	}
	return refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
}

// sections splits an answer at the lines that begin with ###. Only the server writes
// lines that begin so, with one exception: the message of a dialog can have lines.
func sections(answer string) map[string]string {
	found := map[string]string{}
	for section := range strings.SplitSeq("\n"+answer, "\n### ") {
		name, body, _ := strings.Cut(section, "\n")
		if _, again := found[name]; !again { // the server has each once, before any message
			found[name] = body
		}
	}
	return found
}

// modalForm takes the message up to the last end of the form: a message may have lines that look
// like the server's.
var modalForm = regexp.MustCompile(`(?s)^- \["(.*?)" dialog with message "(.*)"\]: can be handled by`)

// modal reads which dialog is open, nil for none.
func modal(answer string) *dialog {
	_, state, found := strings.Cut("\n"+answer, "\n### Modal state\n")
	m := modalForm.FindStringSubmatch(state)
	switch {
	case !found:
		return nil
	case strings.HasPrefix(state, "- [File chooser]"):
		return &dialog{kind: fileChooser, message: "a file is to be chosen"}
	case m == nil:
		return &dialog{kind: "unknown", message: cut(firstLine(state), maxName)}
	}
	return &dialog{kind: cut(m[1], 20), message: cut(oneLine(m[2]), maxName)}
}

// readPage reads the answer of browser_snapshot.
func readPage(answer string) (*sight, error) {
	if len(answer) > maxSnapshot {
		return nil, refuse("the page is too large: the server returned %d bytes", len(answer))
	}
	parts := sections(answer)
	page, ok := strings.CutPrefix(parts["Page"], "- Page URL: ")
	if !ok {
		return nil, refuse("the server did not say which page it is: %s", cut(firstLine(answer), 200))
	}
	s := &sight{}
	s.url, page, _ = strings.Cut(page, "\n")
	for line := range strings.SplitSeq(page, "\n") {
		if title, ok := strings.CutPrefix(line, "- Page Title: "); ok && s.title == "" {
			s.title = cut(oneLine(title), maxName)
		}
		if status, ok := strings.CutPrefix(line, "- HTTP status: "); ok {
			s.status = cut(oneLine(status), 60)
		}
	}
	s.tabs, s.tab = readTabs(parts["Open tabs"])
	tree, ok := strings.CutPrefix(parts["Snapshot"], "```yaml\n")
	if !ok {
		return nil, refuse("the server did not return what is on the page")
	}
	end := strings.LastIndex(tree, "\n```")
	if end < 0 {
		return nil, refuse("the server returned a part of the page only")
	}
	var err error
	if s.nodes, err = parse(tree[:end]); err != nil {
		return nil, refuse("the page cannot be read: %v", err)
	}
	return s, nil
}

var tabForm = regexp.MustCompile(`^- ([0-9]{1,6}): (\(current\) )?\[(.*?)\]\((.*)\)$`)

// readTabs reads the list of tabs, and which one is current. A title can look like the end of a title:
// then the URL is not the tab's (see hides). It is checked when the tab is selected.
func readTabs(list string) (tabs []tab, current int) {
	for line := range strings.SplitSeq(list, "\n") {
		m := tabForm.FindStringSubmatch(line)
		if m == nil || m[1] != strconv.Itoa(len(tabs)) {
			continue
		}
		if m[2] != "" {
			current = len(tabs)
		}
		tabs = append(tabs, tab{title: cut(oneLine(m[3]), maxName), url: m[4], current: m[2] != ""})
	}
	return tabs, current
}
