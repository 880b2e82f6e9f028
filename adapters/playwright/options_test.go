package playwright_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
)

func TestHome(t *testing.T) {
	f := newFake()
	d := browse(t, f, &playwright.Options{Home: "http://nowhere.test/"})
	assert.Equal(t, "the first page cannot be opened: net::ERR_NAME_NOT_RESOLVED at http://nowhere.test/", d.blind())
	f.serve(shop+"/none", "", "")
	f.pages[shop+"/none"].status = "404 Not Found"
	d.do("navigate", map[string]any{"url": shop + "/none"})
	assert.Equal(t, "http://shop.test/none [404 Not Found]", d.look()["page"].Value)
	d = browse(t, newFake(), nil)
	assert.Equal(t, map[string]desktop.Control{"page": {ID: "page", Type: "page", Value: "about:blank"}}, d.look())
}

func TestOptions(t *testing.T) {
	for field, opts := range map[string]*playwright.Options{
		"Origins":     {Origins: []string{"shop.test"}},
		"Home":        {Home: "ftp://shop.test/"},
		"ServerTools": {ServerTools: []string{"evaluate"}},
	} {
		_, err := playwright.New(newFake(), opts)
		var bad *playwright.OptionsError
		require.ErrorAs(t, err, &bad, field)
		assert.Equal(t, field, bad.Field)
	}
	for _, origins := range [][]string{{}, {"http://*"}, {"http://"}, {"http://shop.test/path"}, {"ftp://shop.test"}} {
		_, err := playwright.New(newFake(), &playwright.Options{Origins: origins})
		assert.Error(t, err, "%q", origins)
	}
	_, err := playwright.New(newFake(), &playwright.Options{Origins: []string{"https://shop.test"}, Home: shop})
	assert.EqualError(t, err, "playwright: Home: the URL has a scheme that is not on the list")
	_, err = playwright.New(nil, nil)
	assert.EqualError(t, err, "playwright: server: there is none")
	_, err = playwright.New((*fake)(nil), nil)
	assert.EqualError(t, err, "playwright: server: there is none")
}

func TestOtherServers(t *testing.T) {
	f := newFake()
	f.tools = f.tools[1:3]
	_, err := desktop.Open(t.Context(), browse(t, f, nil).Desktop, nil)
	require.ErrorIs(t, err, playwright.ErrServer)
	_, err = desktop.UITree(t.Context(), browse(t, f, nil).Desktop)
	require.ErrorIs(t, err, playwright.ErrServer)

	f = newFake()
	twice := slices.Clone(f.tools)
	for i := range twice {
		twice[i].Name = "bank." + twice[i].Name
	}
	f.tools = append(f.tools, twice...)
	_, err = desktop.Open(t.Context(), browse(t, f, nil).Desktop, nil)
	require.ErrorIs(t, err, playwright.ErrServer, "acts on one, looks at the other")
	assert.ErrorContains(t, err, "it has both browser_")

	// adapters/mcp may put a prefix in front.
	f = newFake()
	for i := range f.tools {
		f.tools[i].Name = "shop." + f.tools[i].Name
	}
	old := &renamed{f}
	d := browse(t, old, &playwright.Options{Home: shop + "/form.html", ServerTools: []string{"browser_evaluate"}})
	d.look()
	assert.Equal(t, "clicked", d.click("e28")[:7])
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	last := tools[len(tools)-1]
	assert.Equal(t, "browser_evaluate", last.Name)
	assert.True(t, last.Annotations.DestructiveHint)
}
