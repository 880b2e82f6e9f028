//go:build linux

package linuxdesktop_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

const textPage = `<title>texts</title><body><div>Div text</div><span>Span text</span><pre>Pre text</pre><div>Price: <b>42</b></div>
<p>Ten: 10<sup>3</sup> <del>7</del></p><ul><li>item <b>bold</b></li></ul>
<table border=1><tr><th>Kind</th><th>Value</th></tr><tr><th>Power</th><td>10<sup>3</sup></td></tr><tr><th>Change</th><td><del>10</del><ins>25</ins></td></tr>
<tr><th>Link</th><td>1 <a href="/">of 2</a></td></tr></table></body>`

// All of the text of a page is listed, each once, and says what a person sees.
func TestRealTextOfAPage(t *testing.T) {
	wanted(t, "chromium")
	s := start(t, "chromium")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(textPage))
	}))
	t.Cleanup(server.Close)
	argv := conforming["chromium"].argv(s.s.Dir)
	argv[len(argv)-1] = server.URL
	d := s.launch("chromium", argv...)
	table := s.find(d, "table", "")
	var all []string
	var add func(desktop.Control)
	add = func(c desktop.Control) {
		all = append(all, c.Name, c.Value)
		for _, inside := range c.Children {
			add(inside)
		}
	}
	add(s.find(d, "document web", "texts"))
	for _, text := range []string{"Div text", "Pre text", "Price:", "42", "Ten: 10³", "• item bold"} {
		assert.Contains(t, all, text)
	}
	assert.NotContains(t, all, "bold", "the item says it")
	assert.Contains(t, strings.Join(all, "\n"), "Span text")
	assert.Equal(t, [][]string{{"Kind", "Value"}, {"Power", "10³"}, {"Change", "25"}, {"Link", "1 of 2"}}, s.table(d, table.ID))
}

const trapPage = `<title>traps</title><body style="margin:0"><script>function hit(n){fetch('/hit/'+n)}</script>
<button onclick="hit('plain')" style="position:absolute;top:20px;left:20px;width:100px;height:40px"><p>Plain</p></button>
<button onclick="hit('under')" style="position:absolute;top:200px;left:10px;width:200px;height:60px">Under</button>
<div onclick="hit('over')" style="position:absolute;top:190px;left:0;width:300px;height:90px;background:#f008">over</div>
<div style="position:absolute;top:10px;left:400px;width:300px;height:60px;overflow:auto"><div style="height:30px">a</div>
<button onclick="hit('clipped')" style="display:block;height:120px;width:200px">Clipped</button></div>
<button onclick="hit('below')" style="position:absolute;top:72px;left:400px;width:300px;height:40px">Delete all</button></body>`

// A click in a page is for the control that it names, and not for what lies over it, or beside the part of it that shows.
func TestRealPage(t *testing.T) {
	wanted(t, "chromium")
	s := start(t, "chromium")
	hits := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, hit := strings.CutPrefix(r.URL.Path, "/hit/"); hit {
			hits <- name
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(trapPage))
	}))
	t.Cleanup(server.Close)
	argv := conforming["chromium"].argv(s.s.Dir)
	argv[len(argv)-1] = server.URL
	d := s.launch("chromium", argv...)
	plain := s.find(d, "push button", "Plain")
	time.Sleep(500 * time.Millisecond) // it is drawn
	for _, name := range []string{"Under", "Clipped"} {
		c := s.find(d, "push button", name)
		assert.Contains(t, s.no(d, desktop.ClickInput, map[string]any{"id": c.ID, "name": name}), "of the page is there instead", name)
	}
	s.do(d, desktop.ClickInput, map[string]any{"id": plain.ID, "name": "Plain"})
	select {
	case hit := <-hits:
		require.Equal(t, "plain", hit)
	case <-time.After(2 * time.Minute):
		require.Fail(t, "nothing was hit")
	}
	assert.Empty(t, hits)
}
