package shop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// reader is a browser of a few hundred lines: it asks the real sites by HTTP, and
// shows their pages with the controls, names and tools that adapters/playwright has.
// It runs no scripts but for alerts, and follows every link there is.
type reader struct {
	client  *http.Client
	home    string
	secrets map[string]string
	change  func(path, page string) string // nil: pages stay as they are

	at     *url.URL
	page   *element
	loads  int
	number int // of the last control
	dialog string
	values map[*element]string // what was filled in
	shown  map[string]*element // by id
	tools  []desktop.Tool
}

func newReader(t testing.TB, home string, secrets map[string]string) *reader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	r := &reader{client: &http.Client{Jar: jar}, home: home, secrets: secrets}
	for _, name := range []string{desktop.GetUITree, desktop.ClickInput, desktop.SetEditText, desktop.KeyboardInput} {
		tool, _ := desktop.ToolNamed(name)
		r.tools = append(r.tools, tool)
	}
	for name, schema := range map[string]string{
		"navigate":       `"url": {"type": "string"}`,
		"select_option":  `"id": {"type": "string"}, "name": {"type": "string"}, "options": {"type": "array", "items": {"type": "string"}}`,
		"dismiss_dialog": `"id": {"type": "string"}`,
	} {
		r.tools = append(r.tools, desktop.Tool{Name: name, InputSchema: []byte(`{"type": "object", "properties": {` + schema + `}}`)})
	}
	return r
}

func (r *reader) Tools(context.Context) ([]desktop.Tool, error) { return r.tools, nil }

// Execute runs one command.
func (r *reader) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if r.page == nil && cmd.ToolName != "navigate" {
		if err := r.open(ctx, http.MethodGet, r.home, nil); err != nil {
			return desktop.Result{}, err
		}
	}
	if cmd.ToolName == desktop.GetUITree {
		return desktop.JSONResult([]desktop.Control{r.controls()})
	}
	var a struct {
		ID, Name, Text, URL string
		Options             []string
	}
	if err := cmd.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	if err := r.act(ctx, cmd.ToolName, a.ID, a.Text, a.URL, a.Options); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	return desktop.TextResult("done"), nil
}

func (r *reader) act(ctx context.Context, tool, id, text, address string, options []string) error {
	e := r.shown[id]
	switch {
	case tool == "dismiss_dialog":
		r.dialog = ""
		return nil
	case r.dialog != "":
		return errors.New("a dialog is open")
	case tool == "navigate":
		return r.open(ctx, http.MethodGet, address, nil)
	case e == nil:
		return fmt.Errorf("the control %q is not there", id)
	case tool == desktop.ClickInput && e.tag == "a":
		return r.open(ctx, http.MethodGet, e.attr["href"], nil)
	case tool == desktop.ClickInput && e.tag == "button":
		return r.submit(ctx, e)
	case tool == desktop.SetEditText && e.tag == "input":
		if secret, known := r.secrets[text]; known {
			text = secret
		}
		r.values[e] = text
		return nil
	case tool == "select_option" && e.tag == "select":
		for _, o := range e.tagged("option") {
			if len(options) == 1 && optionText(o) == options[0] {
				r.values[e] = o.attr["value"]
				return nil
			}
		}
		return errors.New("there is no such option")
	}
	return fmt.Errorf("%s does nothing with %s", tool, e.tag)
}

// submit sends the form that a button is in.
func (r *reader) submit(ctx context.Context, button *element) error {
	form := button.inside("form")
	if form == nil {
		return errors.New("the button does nothing")
	}
	values := url.Values{}
	for _, field := range form.tagged("input", "select") {
		values.Set(field.attr["name"], r.value(field))
	}
	if name := button.attr["name"]; name != "" {
		values.Set(name, button.attr["value"])
	}
	return r.open(ctx, strings.ToUpper(form.attr["method"]), form.attr["action"], values)
}

func (r *reader) value(field *element) string {
	if v, filled := r.values[field]; filled {
		return v
	}
	for _, o := range field.tagged("option") {
		if o.has("selected") {
			return o.attr["value"]
		}
	}
	return field.attr["value"]
}

// open loads a page.
func (r *reader) open(ctx context.Context, method, address string, form url.Values) error {
	to, err := url.Parse(address)
	if err != nil {
		return err
	}
	if r.at != nil {
		to = r.at.ResolveReference(to)
	}
	req, err := http.NewRequestWithContext(ctx, method, to.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", to.Scheme+"://"+to.Host)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var body io.Reader = res.Body
	if r.change != nil {
		text, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		body = strings.NewReader(r.change(res.Request.URL.Path, string(text)))
	}
	page, err := parseHTML(body)
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	r.at, r.page, r.loads, r.dialog = res.Request.URL, page, r.loads+1, ""
	r.values, r.shown = map[*element]string{}, map[string]*element{}
	for _, script := range page.tagged("script") {
		if found := alerts.FindStringSubmatch(script.children[0].text); found != nil {
			r.dialog, _ = strconv.Unquote(found[1])
		}
	}
	return nil
}

var alerts = regexp.MustCompile(`alert\((".*")\)`)

func optionText(o *element) string {
	var b strings.Builder
	for _, c := range o.children {
		b.WriteString(c.text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
