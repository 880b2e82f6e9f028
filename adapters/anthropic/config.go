package anthropic

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
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
	base, key := strings.TrimSpace(cfg.BaseURL), strings.TrimSpace(cfg.APIKey)
	if base == "" {
		base = strings.TrimSpace(os.Getenv("ANTHROPIC_BASE_URL"))
		if key == "" {
			key = strings.TrimSpace(os.Getenv("ANTHROPIC_API_KEY"))
		}
	}
	if base == "" {
		base = DefaultBaseURL
	}
	base = strings.TrimRight(base, "/")
	switch {
	case cfg.Model == "":
		return nil, fmt.Errorf("%w: there is no model name", ErrConfig)
	case !adapters.ValidBase(base):
		return nil, fmt.Errorf("%w: the base URL must be http or https with a host, and without user, query and fragment", ErrConfig)
	case strings.HasSuffix(base, "/v1"), strings.HasSuffix(base, "/v1/messages"): // the first is mostly meant for another protocol
		return nil, fmt.Errorf("%w: the base URL must not end in /v1 or /v1/messages, which is added to it", ErrConfig)
	case cfg.MaxTokens < 0:
		return nil, fmt.Errorf("%w: MaxTokens is negative", ErrConfig)
	case key == "" && base == DefaultBaseURL:
		return nil, fmt.Errorf("%w: there is no API key: set Config.APIKey or ANTHROPIC_API_KEY", ErrConfig)
	case !adapters.ValidKey(key):
		return nil, fmt.Errorf("%w: the API key has a control character", ErrConfig)
	}
	if cfg.MaxTokens == 0 {
		cfg.MaxTokens = DefaultMaxTokens
	}
	opts := []option.RequestOption{
		option.WithBaseURL(base), option.WithMaxRetries(0), option.WithMiddleware(adapters.Keep),
		option.WithRequestTimeout(maxCall), // with one, the SDK does not refuse a large MaxTokens
		option.WithoutOpenTelemetry(),      // its spans may have the prompt in them
	}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	opts = append(opts, option.WithHTTPClient(adapters.WithoutRedirects(cfg.HTTPClient)))
	opts = slices.Concat(opts, cfg.Options)
	// Not the SDK's NewClient, which sends what it finds in the environment and in
	// profiles to any server.
	cfg.APIKey = "" // it is in key
	return &messagesModel{cfg: cfg, key: key, messages: sdk.NewMessageService(opts...)}, nil
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
