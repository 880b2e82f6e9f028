package playwright_test

import (
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
	_, err := playwright.New(newFake(), &playwright.Options{Home: "ftp://shop.test/"})
	assert.EqualError(t, err, "playwright: Home: the URL must begin with https:// or http://")
	for _, origins := range [][]string{{}, {"http://*"}, {"http://"}, {"http://shop.test/path"}, {"ftp://shop.test"}, {"shop.test"}} {
		_, err := playwright.New(newFake(), &playwright.Options{Origins: origins})
		assert.ErrorContains(t, err, "playwright: Origins: ", "%q", origins)
	}
	_, err = playwright.New(newFake(), &playwright.Options{Origins: []string{"https://shop.test"}, Home: shop})
	assert.EqualError(t, err, "playwright: Home: the URL has a scheme that is not on the list")
	_, err = playwright.New(nil, nil)
	assert.EqualError(t, err, "playwright: the server is nil")
	_, err = playwright.New((*fake)(nil), nil)
	assert.EqualError(t, err, "playwright: the server is nil")
}

func TestOtherServers(t *testing.T) {
	f := newFake()
	f.tools = f.tools[1:3]
	_, err := desktop.Open(t.Context(), browse(t, f, nil).Desktop, nil)
	require.ErrorIs(t, err, playwright.ErrServer)
	_, err = desktop.UITree(t.Context(), browse(t, f, nil).Desktop)
	require.ErrorIs(t, err, playwright.ErrServer)
}
