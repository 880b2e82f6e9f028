package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrConfig is behind every error of [New].
var ErrConfig = errors.New("openai: the configuration is wrong")

// DefaultBaseURL is asked where neither [Config] nor the environment name a server.
const DefaultBaseURL = "https://api.openai.com/v1"

// Config says which model to ask, and how. Only Model is required.
type Config struct {
	// Model is the name that the server knows the model by.
	Model string

	// BaseURL is the server and the path before /chat/completions, mostly ending in
	// /v1. "": OPENAI_BASE_URL, else [DefaultBaseURL].
	BaseURL string
	// APIKey is sent as a bearer token. "": OPENAI_API_KEY, but only where BaseURL is
	// empty, too: the key of the environment goes to the server of the environment
	// and to no other. Only DefaultBaseURL requires a key.
	APIKey string `json:"-"`

	// SchemaInPrompt writes the schema of a reply into the system message, for servers
	// that take a response format and do not keep to it. What refuses one is noticed
	// without this, see the package comment.
	SchemaInPrompt bool
	// OldMaxTokens sends the limit of a reply as max_tokens, for servers that do not
	// know max_completion_tokens. OpenAI's own reasoning models refuse it.
	OldMaxTokens bool

	// HTTPClient makes the calls, without its CheckRedirect: redirects are not
	// followed, see the package comment. Nil: http.DefaultClient. A Timeout of it is
	// llm.ErrSlow.
	HTTPClient *http.Client `json:"-"`
	// Options of the SDK are added to every call, such as a header or a query
	// parameter. Retries are off; llm.Retry makes them.
	Options []option.RequestOption `json:"-"`
}

// New returns a model. It is safe for concurrent use, does no I/O yet, and reads
// the environment now and not later. Its error is [ErrConfig].
func New(cfg Config) (llm.Model, error) {
	at := adapters.Endpoint{Base: cfg.BaseURL, Key: cfg.APIKey}
	if err := at.Fill(cfg.Model, "OPENAI", DefaultBaseURL, "/chat/completions"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	opts := []option.RequestOption{
		option.WithBaseURL(at.Base), option.WithMaxRetries(0), option.WithMiddleware(adapters.Keep),
		option.WithHTTPClient(adapters.WithoutRedirects(cfg.HTTPClient)),
	}
	if at.Key != "" {
		opts = append(opts, option.WithAPIKey(at.Key))
	}
	opts = append(opts, cfg.Options...)
	p := &protocol{
		model: cfg.Model, schemaInPrompt: cfg.SchemaInPrompt, oldMaxTokens: cfg.OldMaxTokens, own: at.Base == DefaultBaseURL,
		// Not the SDK's NewClient, which sends what it finds in the environment to any server.
		chat: sdk.NewChatCompletionService(opts...),
	}
	return &adapters.Client{
		Name: "openai", Model: cfg.Model, Key: at.Key, NotFound: unusual(at.Base), How: p.how, Send: p.send, Read: p.read,
	}, nil
}

var version = regexp.MustCompile(`/v\d+\w*$`)

// maxPath bounds the path of a base URL in an error, in bytes.
const maxPath = 80

// unusual returns a word on a base URL that does not end as most do, in /v1; else "".
func unusual(base string) string {
	u, err := url.Parse(base)
	if err != nil || version.MatchString(u.Path) {
		return ""
	}
	return fmt.Sprintf(" (the path of the base URL is %s; mostly it ends in /v1)", clip.Name(u.Path+"/", maxPath))
}

// Format writes the Config as any other struct, and *** for APIKey: it mostly ends in a
// log.
func (c Config) Format(w fmt.State, verb rune) {
	type plain Config
	if c.APIKey != "" {
		c.APIKey = "***"
	}
	_, _ = fmt.Fprintf(w, fmt.FormatString(w, verb), plain(c)) // fmt looks for no error either
}
