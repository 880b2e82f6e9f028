package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The test binary is the program of docs/tutorial.md where this is set.
const program = "TUTORIAL_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(program) != "" {
		main()
		return
	}
	m.Run()
}

// The reader runs the program, types replies, kills it, and runs it again, twice.
func Example_restart() {
	dir, err := os.MkdirTemp("", "tutorial")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	play(dir,
		`{"ControlLabel": "0", "CurrentSubTask": "otters page", "Status": "ASSIGN"}`,
		`{"Title": "Everything about otters", "Status": "CHECK"}`)
	play(dir,
		`{"Title": "Otters", "Status": "CHECK"}`,
		`{"Result": "Otters", "Status": "FINISH"}`)
	play(dir)
	// Output:
	// $ go run .
	// reply: {"ControlLabel": "0", "CurrentSubTask": "otters page", "Status": "ASSIGN"}
	// reply: {"Title": "Everything about otters", "Status": "CHECK"}
	// reply: ^C
	// $ go run .
	// reply: {"Title": "Otters", "Status": "CHECK"}
	// reply: {"Result": "Otters", "Status": "FINISH"}
	// Otters <nil>
	// $ go run .
	// Otters <nil>
}

// play prints what a terminal shows of a process of the program to which these replies
// are typed. It kills the process when it wants one more.
func play(dir string, replies ...string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Dir, cmd.Env = dir, append(os.Environ(), program+"=yes")
	cmd.Stderr = os.Stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if errIn != nil || errOut != nil {
		panic("no pipes")
	}
	fmt.Println("$ go run .")
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	var line strings.Builder // what was printed since the last reply
	for char := make([]byte, 1); ; {
		if _, err := out.Read(char); err != nil {
			break
		}
		fmt.Print(string(char))
		line.Write(char)
		switch {
		case char[0] == '\n':
			line.Reset()
		case line.String() != "reply: ":
		case len(replies) == 0:
			fmt.Println("^C")
			cancel() // kills the process
		default:
			fmt.Println(replies[0])
			if _, err := io.WriteString(in, replies[0]+"\n"); err != nil {
				panic(err)
			}
			replies = replies[1:]
			line.Reset()
		}
	}
	_ = cmd.Wait() // of a process that was killed, an error
}
