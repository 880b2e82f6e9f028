//go:build linux

package shop_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
)

// modelOf makes this program the server of a model: it is how many calls are answered
// before one is not. What it listens on is file 3.
const (
	modelOf  = "AGENTFSM_TEST_MODEL"
	modelKey = "AGENTFSM_TEST_MODEL_KEY"
)

func TestMain(m *testing.M) {
	slow, ok := os.LookupEnv(modelOf)
	if !ok {
		os.Exit(m.Run())
	}
	listener, err := net.FileListener(os.NewFile(3, "listener"))
	if err == nil {
		_, err = rules.Start(&rules.Options{Listener: listener, Key: os.Getenv(modelKey), Asked: func(call int) {
			if fmt.Sprint(call) == slow {
				fmt.Println("slow")
				select {} // until it is killed
			}
		}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ready")
	_, _ = os.Stdin.Read(make([]byte, 1)) // ends with the test
}

// modelServer is the model in a process of its own.
type modelServer struct {
	t       *testing.T
	port    *os.File // is listened on; as long as it is open, requests wait for who is to come
	process *os.Process
	slow    chan struct{} // is closed when a call is not answered
	wait    func()        // until the process has ended
}

// serveModel starts one, as the endpoint of the user. It leaves the call of that number
// without an answer; 0: none.
func serveModel(t *testing.T, slow int) *modelServer {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	t.Setenv("OPENAI_BASE_URL", "http://"+listener.Addr().String()+"/v1")
	t.Setenv("OPENAI_API_KEY", "a key of this test")
	require.NoError(t, listener.Close()) // port is another handle of it
	s := &modelServer{t: t, port: port, slow: make(chan struct{})}
	s.start(slow)
	t.Cleanup(func() { s.kill(true) })
	return s
}

// start starts the process.
func (s *modelServer) start(slow int) {
	cmd := exec.CommandContext(s.t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", modelOf, slow), modelKey+"=a key of this test")
	cmd.ExtraFiles, cmd.Stderr = []*os.File{s.port}, os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(s.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(s.t, lines.Scan())
	require.Equal(s.t, "ready", lines.Text())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() {
			close(s.slow)
		}
		_ = cmd.Wait()
		_ = in.Close()
	}()
	s.process, s.wait = cmd.Process, func() { <-ended }
}

// kill ends the process, and, for good, all that listens on its port.
func (s *modelServer) kill(good bool) {
	if good {
		_ = s.port.Close()
	}
	_ = s.process.Kill() // it may have ended
	s.wait()
}
