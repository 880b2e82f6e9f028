package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Only a form that was accepted and says yes approves.
func TestApproval(t *testing.T) {
	refuse := func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return nil, errors.New("the window is broken")
	}
	for name, test := range map[string]struct {
		say  answers
		want string // "": it is done
	}{
		"yes":                   {fills("accept", map[string]any{"approve": true}), ""},
		"no":                    {fills("accept", map[string]any{"approve": false, "reason": "I need it."}), "not approved: delete_file: I need it."},
		"decline":               {fills("decline", nil), "not approved: delete_file"},
		"cancel":                {fills("cancel", nil), "not approved: delete_file"},
		"declined with content": {fills("decline", map[string]any{"approve": true}), "not approved: delete_file"},
		"empty":                 {fills("accept", nil), "not approved: delete_file"},
		"unknown":               {fills("maybe", map[string]any{"approve": true}), "not approved: delete_file"},
		"other":                 {fills("accept", map[string]any{"name": "Ann"}), "mcpserver: the client could not ask"},
		"text":                  {fills("accept", map[string]any{"approve": "true"}), "mcpserver: the client could not ask"},
		"error":                 {refuse, "the window is broken"},
		"nobody":                {nil, "there is nobody to ask"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice()
			c, _ := memory(t, newServer(t, o.plays(delete1, done)), test.say)
			res := c.did(t, "delete the old file")
			if test.want == "" {
				assert.False(t, res.IsError, text(t, res))
				assert.Equal(t, []string{"a.txt"}, o.gone())
			} else {
				assert.True(t, res.IsError)
				assert.Contains(t, text(t, res), test.want)
				assert.Empty(t, o.gone())
			}
			assert.NotContains(t, c.everything(t, res), token)
		})
	}
}

// everything is all that the client was told.
func (c *client) everything(t testing.TB, results ...*sdk.CallToolResult) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	raw, err := json.Marshal([]any{c.progress, c.asked, results})
	require.NoError(t, err)
	return string(raw)
}

// The person reads what exactly will be done, without secrets.
func TestApprovalSaysAll(t *testing.T) {
	c, _ := memory(t, newServer(t, newOffice().plays(delete1, done)), fills("accept", map[string]any{"approve": true}))
	require.False(t, c.did(t, "delete it").IsError)
	require.Len(t, c.asked, 1)
	form := c.asked[0]
	assert.Equal(t, "form", form.Mode)
	assert.Equal(t, `EXCEL: Allow delete_file {"file":"a.txt","token":"***"}?`+
		` It needs approval because the tool is marked as destructive. The agent says: "It is old."`, form.Message)
	schema := form.RequestedSchema.(map[string]any)
	assert.Equal(t, []any{"approve"}, schema["required"])
	properties := schema["properties"].(map[string]any)
	assert.Equal(t, "boolean", properties["approve"].(map[string]any)["type"])
	assert.NotContains(t, properties["approve"], "default", "nobody says yes or no but the person")
}

func TestQuestion(t *testing.T) {
	for name, test := range map[string]struct {
		say  answers
		want string
	}{
		"answer":  {fills("accept", map[string]any{"answer": "blue"}), "blue"},
		"blank":   {fills("accept", map[string]any{"answer": " "}), ""},
		"empty":   {fills("accept", nil), ""},
		"decline": {fills("decline", nil), ""},
		"cancel":  {fills("cancel", nil), ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice()
			var asked people.Answer
			c, _ := memory(t, newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
				user := people.UserFunc(func(ctx context.Context, q people.Question) (_ people.Answer, err error) {
					asked, err = call.User.Ask(ctx, q)
					return asked, err
				})
				return o.session(user, nil, asking, done)
			}}), test.say)
			res := c.did(t, "paint it")
			require.False(t, res.IsError, text(t, res))
			require.Len(t, c.asked, 1)
			assert.Equal(t, "EXCEL: Which colour?", c.asked[0].Message)
			assert.False(t, asked.Approved)
			assert.Equal(t, test.want, strings.TrimSpace(asked.Text))
		})
	}
}

func TestQuestionForNobody(t *testing.T) {
	c, _ := memory(t, newServer(t, newOffice().plays(asking)), nil)
	res := c.did(t, "paint it")
	assert.True(t, res.IsError)
	assert.Contains(t, text(t, res), "EXCEL:FAIL: there is nobody to ask")
}

// Whether to go on is answered as an approval is: words are no yes.
func TestGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		answer map[string]any
		good   bool
	}{
		"yes":      {map[string]any{"approve": true}, true},
		"no":       {map[string]any{"approve": false}, false},
		"in words": {map[string]any{"answer": "yes"}, false},
	} {
		client, _ := memory(t, newServer(t, newOffice().plays(`{"Status": "CONFIRM", "Comment": "It is late."}`, done)), fills("accept", c.answer))
		assert.Equal(t, !c.good, client.did(t, "work").IsError, name)
	}
}

// MCP forbids to ask for secrets with a form.
func TestSecretsAreNotAskedFor(t *testing.T) {
	for question, forbidden := range map[string]bool{
		"What is your password?": true, "Please enter the PIN.": true, "Which API key is it?": true, "Tell me the one-time code": true,
		"Wie lautet das Passwort?": true, "Your access token, please": true, "What are your credentials?": true, "Enter the 2FA code": true,
		"Which colour?": false, "Which key of the piano?": false, "Which pinboard?": false, "How many tokens are left in the arcade?": false,
	} {
		t.Run(question, func(t *testing.T) {
			raw, err := json.Marshal(map[string]any{"Status": "PENDING", "Questions": []string{question}})
			require.NoError(t, err)
			c, _ := memory(t, newServer(t, newOffice().plays(string(raw), done)), fills("accept", map[string]any{"answer": "x"}))
			res := c.did(t, "log in")
			assert.Equal(t, forbidden, res.IsError)
			if forbidden {
				assert.Contains(t, text(t, res), mcpserver.ErrSecret.Error())
				assert.Empty(t, c.asked)
			}
		})
	}
}

// Nobody answers in time: the client is told to take the form away.
func TestApprovalTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := make(chan error, 1)
		say := func(ctx context.Context, _ *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			<-ctx.Done()
			taken <- ctx.Err()
			return nil, ctx.Err()
		}
		o := newOffice()
		s := newServer(t, o.plays(delete1))
		c, served := memory(t, s, say)
		begun := time.Now()
		res := c.did(t, "delete it")
		assert.True(t, res.IsError)
		assert.Contains(t, text(t, res), "nobody answered in time")
		assert.Equal(t, time.Minute, time.Since(begun))
		require.ErrorIs(t, <-taken, context.Canceled)
		assert.Empty(t, o.gone())
		require.NoError(t, c.Close())
		require.NoError(t, <-served)
	})
}

// A client that only opens web pages takes no forms.
func TestURLOnly(t *testing.T) {
	o := newOffice()
	s := newServer(t, o.plays(delete1))
	ours, theirs := sdk.NewInMemoryTransports()
	go func() { _ = s.Serve(context.Background(), theirs) }()
	c := &client{}
	opts := c.options(fills("accept", map[string]any{"approve": true}))
	opts.Capabilities.Elicitation = &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "x"}, opts).Connect(t.Context(), ours, nil)
	require.NoError(t, err)
	c.ClientSession = session
	defer func() { _ = c.Close() }()
	assert.Contains(t, text(t, c.did(t, "delete it")), "there is nobody to ask")
	assert.Empty(t, o.gone())
}

func TestUserWithoutCall(t *testing.T) {
	_, err := mcpserver.User{}.Ask(t.Context(), people.Question{Text: "Well?"})
	require.ErrorIs(t, err, mcpserver.ErrNoCall)
	require.ErrorIs(t, err, people.ErrNobody)
}

// What a call brings along.
func TestCall(t *testing.T) {
	o := newOffice()
	var got mcpserver.Call
	s := newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		got = *call
		return o.session(nil, nil, done)
	}})
	c, _ := memory(t, s, fills("decline", nil))
	c.did(t, "do it")
	assert.Equal(t, mcpserver.Call{User: mcpserver.User{}, Request: "do it"}, got)
	c, _ = memory(t, s, nil)
	c.did(t, "do it")
	assert.Nil(t, got.User)
}
