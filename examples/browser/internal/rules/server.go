package rules

import (
	"net"

	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
)

// Name is what the server calls its model.
const Name = "rules"

// Options are for [Start]. Nil, and the zero value, mean the model that keeps to
// its rules.
type Options struct {
	// Gullible makes a model of it that believes what it reads: it does what text in
	// a page tells it to.
	Gullible bool
	// Listener, Key and Asked are those of the server.
	Listener net.Listener
	Key      string
	Asked    func(call int)
}

// Server serves the model on loopback. It is safe for concurrent use.
type Server = chatserver.Server

// Start starts a server. Close it.
func Start(opts *Options) (*Server, error) {
	if opts == nil {
		opts = &Options{}
	}
	m := model{gullible: opts.Gullible}
	return chatserver.Start(chatserver.Options{Name: Name, Decide: m.decide, Listener: opts.Listener, Key: opts.Key, Asked: opts.Asked})
}
