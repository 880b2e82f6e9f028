package runshttp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// A page may start runs and look at them. It needs no agents: other processes drive the runs.
func Example() {
	svc, err := runs.New(store.Memory(), runs.Config{})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(runshttp.New(svc, runshttp.Config{
		Authorize: func(r *http.Request, answer http.Header, a runshttp.Action) (by string, err error) {
			if r.Header.Get("Authorization") != "Bearer of-the-page" {
				answer.Set("WWW-Authenticate", "Bearer")
				return "", errors.New("a token is missing")
			}
			if a.Name == "delete" {
				return "", errors.New("a page may not delete runs")
			}
			return "the page", nil
		},
	}))
	defer server.Close()

	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, server.URL+"/runs", strings.NewReader(`{"id": "order 12", "request": "pay Ann"}`))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for range 2 {
		resp, err := server.Client().Do(r)
		if err != nil {
			panic(err)
		}
		fmt.Println(strings.TrimSpace(resp.Status + " " + resp.Header.Get("Location")))
		_ = resp.Body.Close()
		r.Header.Set("Authorization", "Bearer of-the-page")
		r.Body, err = r.GetBody()
		if err != nil {
			panic(err)
		}
	}
	// Output:
	// 401 Unauthorized
	// 201 Created runs/order%2012
}
