package anthropic

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// ErrConfig is behind every error of [New].
var ErrConfig = errors.New("anthropic: the configuration is wrong")

// DefaultBaseURL is asked where neither [Config] nor the environment name a server.
const DefaultBaseURL = "https://api.anthropic.com"

// DefaultMaxTokens is the limit of a reply where neither the request nor [Config]
// have one: the protocol wants it always. Thoughts count against it.
const DefaultMaxTokens = 8192

// Config says which model to ask, and how. Only Model is required.
type Config struct {
	// Model is the name that the server knows the model by.
	Model string

	// BaseURL is the server and the path before /v1/messages. "": ANTHROPIC_BASE_URL,
	// else [DefaultBaseURL].
	BaseURL string
	// APIKey is sent as X-Api-Key. "": ANTHROPIC_API_KEY, but only where BaseURL is
	// empty, too: the key of the environment goes to the server of the environment
	// and to no other. Only DefaultBaseURL requires a key.
	APIKey string `json:"-"`

	// MaxTokens is the limit of a reply for requests that have none. 0:
	// [DefaultMaxTokens]. Negative is an error, since the protocol knows no unlimited
	// reply.
	MaxTokens int
	// SchemaInPrompt writes the schema of a reply into the system parameter, for
	// servers that take an output format and do not keep to it. What refuses one is
	// noticed without this, see the package comment.
	SchemaInPrompt bool

	// HTTPClient makes the calls, without its CheckRedirect: redirects are not
	// followed, see the package comment. Nil: http.DefaultClient. A Timeout of it is
	// llm.ErrSlow.
	HTTPClient *http.Client `json:"-"`
	// Options of the SDK are added to every call, such as a header or a query
	// parameter. Retries and the SDK's traces are off; llm.Retry makes the first.
	Options []option.RequestOption `json:"-"`
}

// maxCall is how long a call may last whose context and client allow more.
const maxCall = time.Hour

// New returns a model. It is safe for concurrent use, does no I/O yet, and reads
// the environment now and not later. Its error is [ErrConfig].
func New(cfg Config) (llm.Model, error) {
	at := adapters.Endpoint{Base: cfg.BaseURL, Key: cfg.APIKey}
	// A base URL that ends in /v1 is mostly meant for another protocol.
	if err := at.Fill(cfg.Model, "ANTHROPIC", DefaultBaseURL, "/v1", "/v1/messages"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if cfg.MaxTokens < 0 {
		return nil, fmt.Errorf("%w: MaxTokens is negative", ErrConfig)
	}
	opts := []option.RequestOption{
		option.WithBaseURL(at.Base), option.WithMaxRetries(0), option.WithMiddleware(adapters.Keep),
		option.WithHTTPClient(adapters.WithoutRedirects(cfg.HTTPClient)),
		option.WithRequestTimeout(maxCall), // with one, the SDK does not refuse a large MaxTokens
		option.WithoutOpenTelemetry(),      // its spans may have the prompt in them
	}
	if at.Key != "" {
		opts = append(opts, option.WithAPIKey(at.Key))
	}
	opts = append(opts, cfg.Options...)
	p := &protocol{
		model: cfg.Model, maxTokens: cmp.Or(cfg.MaxTokens, DefaultMaxTokens), schemaInPrompt: cfg.SchemaInPrompt,
		// Not the SDK's NewClient, which sends what it finds in the environment and in profiles to any server.
		messages: sdk.NewMessageService(opts...),
	}
	return &adapters.Client{Name: "anthropic", Model: cfg.Model, Key: at.Key, How: p.how, Send: p.send, Read: p.read}, nil
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
