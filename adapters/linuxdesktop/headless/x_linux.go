package headless

import (
	"context"
	"encoding/binary"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
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
// that drop XAUTHORITY.
func admit(ctx context.Context, display string, cookie []byte, uid int) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()
	x11.Quiet()
	x, err := xgb.NewConnNet(&greeted{Conn: conn, cookie: cookie})
	if err != nil {
		_ = conn.Close()
		return err
	}
	defer x.Close()
	const byServer = 5 // the family of addresses that say what they are
	user := "localuser\x00#" + strconv.Itoa(uid)
	return xproto.ChangeHostsChecked(x, xproto.HostModeInsert, byServer, uint16(len(user)), []byte(user)).Check()
}

// greeted is a connection whose first message has the cookie: the library finds only that of the environment.
type greeted struct {
	net.Conn

	cookie []byte
}

func (g *greeted) Write(message []byte) (int, error) {
	if g.cookie == nil {
		return g.Conn.Write(message)
	}
	greeting := []byte{'l', 0}
	for _, n := range []int{11, 0, len(protocol), len(g.cookie), 0} {
		greeting = binary.LittleEndian.AppendUint16(greeting, uint16(n))
	}
	greeting = slices.Concat(greeting, []byte(protocol), make([]byte, -len(protocol)&3), g.cookie)
	g.cookie = nil
	_, err := g.Conn.Write(greeting)
	return len(message), err
}
