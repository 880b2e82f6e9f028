package sites_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

func TestStartRefusesDataThatMakesNoSite(t *testing.T) {
	item := sites.Item{SKU: "A"}
	for name, d := range map[string]sites.Data{
		"no items":    {Password: "x"},
		"no password": {Items: []sites.Item{item}},
		"no SKU":      {Password: "x", Items: []sites.Item{{Name: "A"}}},
		"SKU twice":   {Password: "x", Items: []sites.Item{item, item}},
	} {
		s, err := sites.Start(d, nil)
		assert.Nil(t, s, name)
		assert.ErrorIs(t, err, sites.ErrData, name)
	}
}

func TestTheSitesAreOriginsOfTheirOwn(t *testing.T) {
	d := sites.Generate(1)
	s := start(t, d, nil)
	for _, address := range []string{s.WarehouseURL(), s.SupplierURL()} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		assert.Equal(t, "127.0.0.1", u.Hostname())
		assert.Empty(t, u.Path)
		logo := newClient(t, d, s).get(address + "/logo.svg")
		assert.Equal(t, "image/svg+xml", logo.header.Get("Content-Type"))
	}
	assert.NotEqual(t, s.WarehouseURL(), s.SupplierURL())

	// Cookies do not know ports: the sites must not take each other's away.
	c := newClient(t, d, s)
	c.login()
	c.add(d.Missing()[0].SKU, fmt.Sprint(d.Missing()[0].Quantity))
	assert.Equal(t, "/stock", c.stock("/stock").path)
	assert.Len(t, c.shop("/basket").rows(), 1)
}

func TestManyClientsAtOnce(t *testing.T) {
	d := sites.Generate(16)
	s := start(t, d, nil)
	t.Run("clients", func(t *testing.T) {
		for i := range 8 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				c := newClient(t, d, s)
				assert.Equal(t, "/stock", c.login().path)
				p := c.order(d.Missing()...)
				assert.Len(t, p.rows(), len(d.Missing()))
				assert.Len(t, c.shop("/orders").rows(), 1)
			})
		}
	})
	orders := s.Orders()
	require.Len(t, orders, 8)
	numbers := map[string]bool{}
	for _, order := range orders {
		numbers[order.Number] = true
		assert.ElementsMatch(t, d.Missing(), order.Lines)
	}
	assert.Len(t, numbers, 8)
}

func TestPressingManyTimesAtOnceIsOneOrder(t *testing.T) {
	d := sites.Generate(17)
	s := start(t, d, nil)
	c := newClient(t, d, s)
	review := c.fill(d.Missing()...)
	approved := time.Now()
	t.Run("presses", func(t *testing.T) {
		for i := range 8 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				mine := *c
				mine.t = t
				assert.Equal(t, http.StatusOK, mine.send(review).status)
			})
		}
	})
	assert.NoError(t, s.Check(approved))
}

func TestLog(t *testing.T) {
	d := sites.Generate(18)
	var events []sites.Event // calls do not overlap, and Close waits for them
	s := start(t, d, &sites.Options{Log: func(e sites.Event) { events = append(events, e) }})
	c := newClient(t, d, s)
	c.stock("/stock?page=2")
	c.login()
	c.shop("/nowhere")
	require.NoError(t, s.Close())
	var got []string
	for _, e := range events {
		assert.False(t, e.Time.IsZero())
		got = append(got, fmt.Sprint(e.Site, " ", e.Method, " ", e.Path, " ", e.Status))
	}
	assert.Equal(t, []string{
		"warehouse GET /stock 303", "warehouse GET /login 200", "warehouse POST /login 303", "warehouse GET /stock 200", "supplier GET /nowhere 404",
	}, got)
}

func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, warehouse, _, err := sites.Handlers(sites.Generate(1), &sites.Options{Delay: time.Hour})
		require.NoError(t, err)
		began, w := time.Now(), httptest.NewRecorder()
		warehouse.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://warehouse/login", http.NoBody))
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, time.Hour, time.Since(began))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began, w = time.Now(), httptest.NewRecorder()
		warehouse.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "http://warehouse/login", http.NoBody))
		assert.Equal(t, http.StatusServiceUnavailable, w.Code)
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestCloseWaitsForTheRequestUnderWay(t *testing.T) {
	d := sites.Generate(19)
	inside, release := make(chan struct{}), make(chan struct{})
	var finished atomic.Bool
	s := start(t, d, &sites.Options{Log: func(sites.Event) {
		close(inside)
		<-release
		finished.Store(true)
	}})
	// The last part of an answer is written after the handler, which is held: so the
	// client gets it only when the connection is cut, and then as an error.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.SupplierURL()+"/", http.NoBody)
	require.NoError(t, err)
	failed := make(chan error, 1)
	go func() {
		answer, err := newTransport(t).RoundTrip(r)
		if err == nil {
			buffer := make([]byte, 1<<20)
			for err == nil {
				_, err = answer.Body.Read(buffer)
			}
			_ = answer.Body.Close()
		}
		failed <- err
	}()
	<-inside
	closed := make(chan bool, 1)
	go func() {
		err := s.Close()
		closed <- err == nil && finished.Load()
	}()
	<-failed // the connection was cut, so Close is under way
	close(release)
	assert.True(t, <-closed, "Close came back before the handler")
	noneLeft(t)
}

func TestCloseCutsWhatTakesLong(t *testing.T) {
	d := sites.Generate(19)
	s := start(t, d, &sites.Options{Delay: time.Hour})
	warehouse := strings.TrimPrefix(s.WarehouseURL(), "http://")
	for name, text := range map[string]string{
		"nothing sent":     "",
		"half a header":    "GET / HT",
		"half a body":      "POST /login HTTP/1.1\r\nHost: " + warehouse + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nuser=",
		"a delayed answer": "GET /login HTTP/1.1\r\nHost: " + warehouse + "\r\n\r\n",
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", warehouse)
		require.NoError(t, err, name)
		defer conn.Close()
		_, err = conn.Write([]byte(text))
		require.NoError(t, err, name)
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "a second time is nothing")
	noneLeft(t)
	_, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", warehouse)
	assert.Error(t, err, "nobody listens any more")
}

func newTransport(t *testing.T) *http.Transport {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// noneLeft waits until no goroutine of a server is left: the last thing that one does
// is to say that it ends.
func noneLeft(t *testing.T) {
	t.Helper()
	assert.Eventually(t, func() bool {
		stacks := make([]byte, 1<<20)
		text := string(stacks[:runtime.Stack(stacks, true)])
		return !strings.Contains(text, "net/http.(*conn).serve(") && !strings.Contains(text, "net/http.(*Server).Serve(")
	}, 2*time.Minute, 5*time.Millisecond)
}
