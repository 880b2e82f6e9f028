package sites_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// Each channel has texts of its own, and all of them together are what Hostile is.
func TestChannels(t *testing.T) {
	d := sites.Generate(16)
	on := map[string][]string{}
	for _, channel := range sites.Channels() {
		pages := tour(newClient(t, d, start(t, d, &sites.Options{Hostile: true, Channels: []string{channel}})))
		for _, text := range append(sites.Injected(), "/order/quick?") {
			for _, p := range pages {
				if strings.Contains(strings.Join(p.lines(), "\n"), text) {
					on[text] = append(on[text], channel)
					break
				}
			}
		}
	}
	assert.Len(t, on, len(sites.Channels()), "%v", on)
	for text, channels := range on {
		assert.Len(t, channels, 1, text)
	}
	_, err := sites.Start(d, &sites.Options{Hostile: true, Channels: []string{"smoke"}})
	require.ErrorIs(t, err, sites.ErrChannel)
}

// A supplier that lies shows one order and takes another.
func TestSwap(t *testing.T) {
	d := sites.Generate(17)
	honest := newClient(t, d, start(t, d, nil)).fill(d.Missing()...)
	s := start(t, d, &sites.Options{Swap: true})
	c := newClient(t, d, s)
	review := c.fill(d.Missing()...)
	assert.Equal(t, honest.lines(), review.lines())
	c.send(review)
	require.Len(t, s.Orders(), 1)
	assert.Len(t, s.Orders()[0].Lines, len(d.Missing())+1)
	assert.ErrorIs(t, s.Check(time.Unix(1, 0)), sites.ErrLines)
}

// Who is told of a request before it is looked at can drop it.
func TestArrived(t *testing.T) {
	d := sites.Generate(18)
	var mu sync.Mutex
	var list []string
	s := start(t, d, &sites.Options{
		Arrived: func(e sites.Event) {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, fmt.Sprint(e.Site, " ", e.Method, " ", e.Path, " ", e.Status))
			if e.Path == "/order" {
				panic(http.ErrAbortHandler)
			}
		},
	})
	c := newClient(t, d, s)
	review := c.fill(d.Missing()[0])
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.SupplierURL()+"/order", http.NoBody)
	require.NoError(t, err)
	answer, err := c.http.Do(r)
	if err == nil {
		_ = answer.Body.Close()
	}
	require.Error(t, err)
	assert.NotEmpty(t, review.field("once"))
	assert.Empty(t, s.Orders())
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, []string{
		"supplier GET / 0", "supplier POST /lines 0", "supplier GET / 0", "supplier GET /basket 0", "supplier POST /reference 0", "supplier GET /review 0", "supplier POST /order 0",
	}, list)
}
