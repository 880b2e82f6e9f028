package main

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
)

// own sets the variables that flags look at, and no others of them.
func own(t *testing.T, env map[string]string) {
	t.Helper()
	for _, variable := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "DBUS_SESSION_BUS_ADDRESS"} {
		t.Setenv(variable, env[variable])
	}
}

func touch(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, nil, 0o600))
}

var (
	files  = []string{"-in", "a.docx", "-out", "a.xlsx"}
	key    = map[string]string{"OPENAI_API_KEY": "k"}
	url    = map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
	aBus   = map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=bus"}
	noFlag map[string]string
)

// with are the flags of both files and more.
func with(more ...string) []string { return append(slices.Clip(files), more...) }

func TestFlagsThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		says string
	}{
		"nothing":            {noFlag, nil, "office: -in names a document, -out a spreadsheet"},
		"no document":        {noFlag, []string{"-out", "a.xlsx"}, "office: -in names a document, -out a spreadsheet"},
		"no spreadsheet":     {noFlag, []string{"-in", "a.docx"}, "office: -in names a document, -out a spreadsheet"},
		"an argument":        {noFlag, with("sales"), `office: what is "sales"? Everything is given by flags`},
		"only arguments":     {noFlag, []string{"a.docx", "a.xlsx"}, `office: what is "a.docx"?`},
		"an unknown flag":    {noFlag, with("-fast"), "office: flag provided but not defined: -fast"},
		"no value":           {noFlag, with("-model"), "office: flag needs an argument: -model"},
		"confirm":            {noFlag, with("-confirm", "maybe"), `office: -confirm is "maybe", not ask, yes or no`},
		"a key and no model": {key, files, "office: OPENAI_BASE_URL or OPENAI_API_KEY is set: say with -model"},
		"a URL and no model": {url, files, "office: OPENAI_BASE_URL or OPENAI_API_KEY is set: say with -model"},
		"a model of nowhere": {noFlag, with("-model", "m"), "office: -model is set, and neither OPENAI_BASE_URL nor OPENAI_API_KEY says where it is"},
		"no bus":             {noFlag, with("-display", ":0"), "office: -display needs -bus, or DBUS_SESSION_BUS_ADDRESS"},
		"no bus, by flag":    {aBus, with("-display", ":0", "-bus", ""), "office: -display needs -bus, or DBUS_SESSION_BUS_ADDRESS"},
		"a journal alone":    {aBus, with("-journal", "j"), "office: -journal needs -dir and -display"},
		"no folder":          {aBus, with("-journal", "j", "-display", ":0"), "office: -journal needs -dir and -display"},
		"no display":         {aBus, with("-journal", "j", "-dir", "d"), "office: -journal needs -dir and -display"},
	} {
		t.Run(name, func(t *testing.T) {
			own(t, c.env)
			var said bytes.Buffer
			_, err := parse(c.args, &said)
			require.ErrorContains(t, err, c.says)
			require.NotErrorIs(t, err, flag.ErrHelp)
			assert.Equal(t, err.Error()+" (-h lists the flags)\n", said.String(), "one line, which says what is wrong")
		})
	}
}

func TestFlags(t *testing.T) {
	usual := settings{in: "a.docx", out: "a.xlsx", request: defaultRequest, confirm: person.Ask}
	for name, c := range map[string]struct {
		env    map[string]string
		args   []string
		change func(*settings)
	}{
		"files":     {noFlag, files, func(*settings) {}},
		"a request": {noFlag, with("-request", "draw the costs", "-v"), func(s *settings) { s.request, s.verbose = "draw the costs", true }},
		"confirm":   {noFlag, with("-confirm=yes"), func(s *settings) { s.confirm = person.Yes }},
		"a model":   {key, with("-model", "m", "-pictures", "p"), func(s *settings) { s.model, s.pictures = "m", "p" }},
		"a URL":     {url, with("-model", "m"), func(s *settings) { s.model = "m" }},
		"a display": {aBus, with("-display", ":0"), func(s *settings) { s.display, s.bus = ":0", "unix:path=bus" }},
		"a bus":     {aBus, with("-display", ":0", "-bus", "b"), func(s *settings) { s.display, s.bus = ":0", "b" }},
		"a journal": {noFlag, with("-journal", "j", "-dir", "d", "-display", ":0", "-bus", "b"), func(s *settings) { s.journal, s.dir, s.display, s.bus = "j", "d", ":0", "b" }},
	} {
		t.Run(name, func(t *testing.T) {
			own(t, c.env)
			want := usual
			c.change(&want)
			var said bytes.Buffer
			got, err := parse(c.args, &said)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			assert.Empty(t, said.String())
		})
	}
}

// The usage is for who asks for it, and names every flag.
func TestHelp(t *testing.T) {
	own(t, nil)
	for _, args := range [][]string{{"-h"}, {"-in", "a.docx", "-help"}} {
		var said bytes.Buffer
		_, err := parse(args, &said)
		require.ErrorIs(t, err, flag.ErrHelp)
		for name := range strings.FieldsSeq("in out request confirm model pictures journal dir display bus v") {
			assert.Contains(t, said.String(), "  -"+name)
		}
		assert.NotContains(t, said.String(), "(-h lists the flags)")
	}
}
