// Package atspitest has a message bus for tests: it answers the calls of an atspi.Client itself, so that a tree, or a
// program that does not answer, is a func.
//
//	bus := atspitest.Serve(t, func(c atspitest.Call) ([]any, error) {
//		if c.Method == "org.a11y.atspi.Accessible.GetRoleName" {
//			return []any{"push button"}, nil
//		}
//		return nil, atspitest.ErrSilent
//	})
//	c, err := atspi.Dial(t.Context(), bus, 0)
package atspitest

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// Call is a call of a method.
type Call struct {
	Path   string
	Method string // with its interface, such as org.a11y.atspi.Accessible.GetChildren
	Body   []any
}

// ErrSilent leaves a call without an answer. Any other error must be a dbus.Error, which is the answer.
var ErrSilent = errors.New("no answer")

// Serve starts a bus and returns its address. It is the session bus and the accessibility bus in one. answer is called by
// several goroutines, but for what a bus and a registry of programs have to say.
func Serve(t testing.TB, answer func(Call) ([]any, error)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	require.NoError(t, err)
	b := &bus{"unix:path=" + path, answer}
	ctx, cancel := context.WithCancel(context.Background())
	var served sync.WaitGroup
	served.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { _ = conn.Close() })
			served.Go(func() { b.talk(conn) })
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = l.Close()
		served.Wait()
	})
	return b.address
}

type bus struct {
	address string
	answer  func(Call) ([]any, error)
}

// talk serves one connection, until it ends.
func (b *bus) talk(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // the test is over
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		reply := "REJECTED EXTERNAL"
		switch strings.Trim(line, "\x00\r\n") {
		case "AUTH EXTERNAL":
			reply = "OK 0123"
		case "NEGOTIATE_UNIX_FD":
			reply = "ERROR"
		case "BEGIN":
			b.calls(conn, in)
			return
		}
		if _, err := io.WriteString(conn, reply+"\r\n"); err != nil {
			return
		}
	}
}

func (b *bus) calls(conn io.Writer, in io.Reader) {
	for {
		msg, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		header := func(f dbus.HeaderField) string {
			s, _ := msg.Headers[f].Value().(string)
			return s
		}
		path, _ := msg.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
		body, err := b.reply(Call{string(path), header(dbus.FieldInterface) + "." + header(dbus.FieldMember), msg.Body})
		out := &dbus.Message{Type: dbus.TypeMethodReply, Body: body, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldReplySerial: dbus.MakeVariant(msg.Serial()), dbus.FieldSender: dbus.MakeVariant("org.freedesktop.DBus"),
		}}
		if refused, ok := errors.AsType[dbus.Error](err); ok {
			out.Type, out.Body = dbus.TypeError, refused.Body
			out.Headers[dbus.FieldErrorName] = dbus.MakeVariant(refused.Name)
		} else if err != nil {
			continue
		}
		if len(out.Body) > 0 {
			out.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(out.Body...))
		}
		if err := out.EncodeTo(conn, binary.LittleEndian); err != nil {
			return
		}
	}
}

// reply answers what is the same on each bus.
func (b *bus) reply(c Call) ([]any, error) {
	switch c.Method {
	case "org.freedesktop.DBus.Hello":
		return []any{":1.1"}, nil
	case "org.freedesktop.DBus.AddMatch", "org.freedesktop.DBus.RemoveMatch", "org.a11y.atspi.Registry.RegisterEvent":
		return nil, nil
	case "org.freedesktop.DBus.Properties.Set":
		return nil, nil
	case "org.a11y.Bus.GetAddress":
		return []any{b.address}, nil
	}
	return b.answer(c)
}
