package headless

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// x is a connection to a display, for the four requests that Start makes. It is no client
// library, because a library writes to the standard error when it finds no .Xauthority
// and leaves goroutines behind.
type x struct {
	conn net.Conn
	stop func() bool
	root uint32 // window
}

const protocol = "MIT-MAGIC-COOKIE-1"

// authorityOf is a file with one entry, which is for all displays.
func authorityOf(cookie []byte) []byte {
	out := []byte{0xff, 0xff} // any family, so the address and the number are empty
	for _, field := range [][]byte{nil, nil, []byte(protocol), cookie} {
		out = binary.BigEndian.AppendUint16(out, uint16(len(field)))
		out = append(out, field...)
	}
	return out
}

// dial connects to a display of this machine. When ctx ends, all requests fail.
func dial(ctx context.Context, display string, cookie []byte) (*x, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	if err != nil {
		return nil, err
	}
	c := &x{conn: conn, stop: context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })}
	if err := c.setup(cookie); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *x) close() {
	c.stop()
	_ = c.conn.Close()
}

var order = binary.LittleEndian

// padded fills up to a multiple of four bytes.
func padded(text []byte) []byte { return append(slices.Clone(text), make([]byte, -len(text)&3)...) }

// setup begins the conversation and learns which window is the root.
func (c *x) setup(cookie []byte) error {
	out := []byte{'l', 0} // little endian
	for _, n := range []int{11, 0, len(protocol), len(cookie), 0} {
		out = order.AppendUint16(out, uint16(n))
	}
	out = slices.Concat(out, padded([]byte(protocol)), padded(cookie))
	if _, err := c.conn.Write(out); err != nil {
		return err
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(c.conn, head); err != nil {
		return err
	}
	body := make([]byte, 4*int(order.Uint16(head[6:])))
	if _, err := io.ReadFull(c.conn, body); err != nil {
		return err
	}
	if head[0] != 1 {
		return fmt.Errorf("the display refuses the connection: %.*s", int(head[1]), body)
	}
	if len(body) < 32 {
		return errShort
	}
	vendor, formats := int(order.Uint16(body[16:])), int(body[21])
	screen := 32 + (vendor+3)&^3 + 8*formats
	if len(body) < screen+4 {
		return errShort
	}
	c.root = order.Uint32(body[screen:])
	return nil
}

// refusalError is an error of the X protocol.
type refusalError struct{ request, code byte }

func (r *refusalError) Error() string {
	return fmt.Sprintf("the display refuses request %d: error %d", r.request, r.code)
}

var errShort = errors.New("the answer of the display is too short")

// send writes a request: its number, a byte, and the rest.
func (c *x) send(code, detail byte, rest []byte) error {
	rest = padded(rest)
	out := order.AppendUint16([]byte{code, detail}, uint16(1+len(rest)/4))
	_, err := c.conn.Write(append(out, rest...))
	return err
}

// ask sends a request and returns the answer, of which 32 bytes are always there.
func (c *x) ask(code, detail byte, rest []byte) ([]byte, error) {
	if err := c.send(code, detail, rest); err != nil {
		return nil, err
	}
	for {
		answer := make([]byte, 32)
		if _, err := io.ReadFull(c.conn, answer); err != nil {
			return nil, err
		}
		switch answer[0] {
		case 0:
			return nil, &refusalError{request: answer[10], code: answer[1]}
		case 1:
			more := make([]byte, 4*int(order.Uint32(answer[4:])))
			_, err := io.ReadFull(c.conn, more)
			return slices.Concat(answer, more), err
		}
		// An event, of which nobody asked to be told.
	}
}

// allow lets processes of a user connect without the cookie.
func (c *x) allow(uid int) error {
	const insert, byServer = 0, 5
	address := "localuser\x00#" + strconv.Itoa(uid)
	rest := order.AppendUint16([]byte{byServer, 0}, uint16(len(address)))
	return c.send(109, insert, append(rest, address...)) // the next answer has its error, if there is one
}

// managed reports whether there is a window manager: the root names a window that names itself.
func (c *x) managed() (bool, error) {
	const name = "_NET_SUPPORTING_WM_CHECK"
	const always = 0
	answer, err := c.ask(16, always, append(order.AppendUint16(nil, uint16(len(name))), "\x00\x00"+name...))
	if err != nil {
		return false, err
	}
	atom := order.Uint32(answer[8:])
	check, err := c.window(c.root, atom)
	if err != nil || check == 0 {
		return false, err
	}
	itself, err := c.window(check, atom)
	return itself == check, err
}

// window reads a property that is a window, 0 if there is none.
func (c *x) window(of, property uint32) (uint32, error) {
	const window, length = 33, 1
	var rest []byte
	for _, n := range []uint32{of, property, window, 0, length} {
		rest = order.AppendUint32(rest, n)
	}
	answer, err := c.ask(20, 0, rest)
	if no, ok := errors.AsType[*refusalError](err); ok && no.code == 3 { // BadWindow: it is gone
		return 0, nil
	}
	if err != nil || len(answer) < 36 {
		return 0, err
	}
	return order.Uint32(answer[32:]), nil
}
