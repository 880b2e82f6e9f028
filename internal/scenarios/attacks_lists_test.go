package scenarios_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/policies"
)

// What only looks like an entry of a list, and lists that are put together: nothing
// of it is executed, and the model is told why. What is on the lists is.
func TestAttacks_OnLists(t *testing.T) {
	hosts := policies.Hosts(must(policies.NewHostList([]string{"api.example.com", "*.example.org"}, nil)), nil)
	paths := policies.Paths(must(policies.NewRoots([]string{"/home/ada/reports"}, nil)), nil)
	tools := policies.Tools("fetch", "open_item")
	url := func(text string) map[string]any { return map[string]any{"url": text} }
	path := func(text string) map[string]any { return map[string]any{"path": text} }
	for name, c := range map[string]struct {
		policy policies.Func
		tool   string
		args   map[string]any
		says   string // "": it is executed
	}{
		"a host":                         {hosts, "fetch", url("https://api.example.com/x"), ""},
		"a host in a domain":             {hosts, "fetch", url("https://a.b.example.org/"), ""},
		"a host that ends like a domain": {hosts, "fetch", url("https://badexample.org/"), "has a host that is not on the list"},
		"the domain itself":              {hosts, "fetch", url("https://example.org/"), "has a host that is not on the list"},
		"a host that ends like a host":   {hosts, "fetch", url("https://xapi.example.com/"), "has a host that is not on the list"},
		"a host under a host":            {hosts, "fetch", url("https://evil.api.example.com/"), "has a host that is not on the list"},
		"another port":                   {hosts, "fetch", url("https://api.example.com:8443/"), "has a port that is not on the list"},
		"a path":                         {paths, "open_item", path("/home/ada/reports/a/b.txt"), ""},
		"the root":                       {paths, "open_item", path("/home/ada/reports"), ""},
		"a path with dots":               {paths, "open_item", path("/home/ada/reports/../../eve/x"), `has a ".." in it`},
		"a path that begins like a root": {paths, "open_item", path("/home/ada/reports-old/x"), "is not in a directory on the list"},
		"a tool":                         {tools, "fetch", url("https://x.example/"), ""},
		"a tool that begins like one":    {tools, "fetch_all", nil, `the tool "fetch_all" is not on the list of tools`},
		"no word of the tool":            {policies.ReadOnly(), "fetch", url("https://x.example/"), `the tool "fetch" is not marked as read-only`},
		"the word of the tool":           {policies.ReadOnly(), "fetch_all", nil, ""},
		"all lists":                      {policies.All(tools, hosts, paths), "fetch", url("https://api.example.com/"), ""},
		"the first of all":               {policies.All(hosts, tools), "fetch", url("https://evil.example/"), "has a host that is not on the list"},
		"the last of all":                {policies.All(tools, paths, hosts), "fetch", url("https://evil.example/"), "has a host that is not on the list"},
		"stricter than a question":       {policies.All(policies.Ask(tools), hosts), "fetch", url("https://evil.example/"), "has a host that is not on the list"},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(call("CONTINUE", c.tool, c.args), finish("now"))
				s.Config.Policy = c.policy
				s.Desktop.AddTools(
					desktoptest.Tool{Name: "fetch"}, desktoptest.Tool{Name: "open_item"},
					desktoptest.Tool{Name: "fetch_all", Annotations: desktop.Annotations{ReadOnlyHint: true}})
				_, err := s.play()
				require.NoError(t, err)
				assert.Empty(t, s.Person.Asked)
				if c.says == "" {
					assert.Len(t, s.Desktop.Calls(c.tool), 1)
					assert.False(t, s.hasSection(1, "last_error"))
					return
				}
				assert.Empty(t, s.Desktop.Calls(c.tool))
				assert.Contains(t, prompt[string](s.stage, 1, "last_error"), c.says)
				require.Len(t, s.Steps[0].Verdicts, 1)
				assert.Equal(t, policies.Deny.String(), s.Steps[0].Verdicts[0].Action)
				assert.Equal(t, fsm.BySystem, s.Steps[0].By)
			})
		})
	}
}

// A question beats a yes: of all policies that are asked one that wants a person's
// word gets it.
func TestAttacks_OnAQuestionBesideAList(t *testing.T) {
	for name, p := range map[string]policies.Func{
		"behind the list": policies.All(policies.Tools("purge_all"), policies.AskDestructive()),
		"before the list": policies.All(policies.AskDestructive(), policies.Tools("purge_all")),
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(call("CONTINUE", "purge_all", nil)).answered(false)
				s.Config.Policy = p
				s.Desktop.AddTools(desktoptest.Tool{Name: "purge_all", Annotations: desktop.Annotations{ReadOnlyHint: true}})
				res, err := s.play()
				s.failed(res, err, fsm.ByUser, "not approved: purge_all")
				assert.Empty(t, s.Desktop.Calls("purge_all"))
				assert.Contains(t, s.Person.Asked[0].Text, `says "purge"`)
			})
		})
	}
}

// However long a command is, the person reads all of it.
func TestAttacks_OnAQuestionThatIsLong(t *testing.T) {
	long := strings.Repeat("nothing, ", 4*acting.MaxOutput) + "and the house"
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(call("FINISH", "wipe", map[string]any{"what": long})).answered(false)
		res, err := s.play()
		s.failed(res, err, fsm.ByUser, "not approved: wipe")
		require.Len(t, s.Person.Asked, 1)
		assert.Contains(t, s.Person.Asked[0].Text, `{"what":"`+long+`"}`)
		assert.Empty(t, s.Desktop.Calls("wipe"))
	})
}
