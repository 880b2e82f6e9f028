package headless

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// admit lets processes of a user connect to a display without the cookie: a Desktop in our process has none, nor have programs
// that drop XAUTHORITY. The X library takes no cookie, so this writes the two requests itself.
func admit(ctx context.Context, display string, cookie []byte, uid int) error {
	const changeHosts, insert, byServer, getInputFocus = 109, 0, 5, 43
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()

	order := binary.LittleEndian
	padded := func(text string) []byte { return append([]byte(text), make([]byte, -len(text)&3)...) }
	out := []byte{'l', 0}
	for _, n := range []int{11, 0, len(protocol), len(cookie), 0} {
		out = order.AppendUint16(out, uint16(n))
	}
	address := "localuser\x00#" + strconv.Itoa(uid)
	host := padded(address)
	hosts := order.AppendUint16([]byte{changeHosts, insert}, uint16(2+len(host)/4))
	hosts = order.AppendUint16(append(hosts, byServer, 0), uint16(len(address)))
	out = slices.Concat(out, padded(protocol), padded(string(cookie)), hosts, host, []byte{getInputFocus, 0, 1, 0})
	if _, err := conn.Write(out); err != nil {
		return err
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(conn, head); err != nil {
		return err
	}
	setup := make([]byte, 4*int(order.Uint16(head[6:])))
	if _, err := io.ReadFull(conn, setup); err != nil {
		return err
	}
	if head[0] != 1 {
		return fmt.Errorf("the display refuses the connection: %.*s", int(head[1]), setup)
	}
	answer := make([]byte, 32)
	for {
		if _, err := io.ReadFull(conn, answer); err != nil {
			return err
		}
		switch answer[0] {
		case 0:
			return fmt.Errorf("the display refuses request %d: error %d", answer[10], answer[1])
		case 1:
			return nil
		} // else an event, of which nobody asked to be told
	}
}
