package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

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
	APIKey string

	// SchemaInPrompt writes the schema of a reply into the system message, for servers
	// that take a response format and do not keep to it. What refuses one is noticed
	// without this, see the package comment.
	SchemaInPrompt bool
	// OldMaxTokens sends the limit of a reply as max_tokens, for servers that do not
	// know max_completion_tokens. OpenAI's own reasoning models refuse it.
	OldMaxTokens bool
	// ImageDetail is how closely images are looked at: auto, low or high. "": the
	// server's default.
	ImageDetail string

	// HTTPClient makes the calls. Nil: http.DefaultClient. A Timeout of it is
	// llm.ErrSlow.
	HTTPClient *http.Client
	// Options of the SDK are added to every call, such as a header or a query
	// parameter. Retries are off; llm.Retry makes them.
	Options []option.RequestOption
}

// New returns a model. It is safe for concurrent use, does no I/O yet, and reads
// the environment now and not later. Its error is [ErrConfig].
func New(cfg Config) (llm.Model, error) {
	base, key := strings.TrimSpace(cfg.BaseURL), strings.TrimSpace(cfg.APIKey)
	if base == "" {
		base = strings.TrimSpace(os.Getenv("OPENAI_BASE_URL"))
		if key == "" {
			key = strings.TrimSpace(os.Getenv("OPENAI_API_KEY"))
		}
	}
	if base == "" {
		base = DefaultBaseURL
	}
	base = strings.TrimRight(base, "/")
	switch {
	case cfg.Model == "":
		return nil, fmt.Errorf("%w: there is no model name", ErrConfig)
	case !validBase(base):
		return nil, fmt.Errorf("%w: the base URL must be http or https with a host, and without user, query and fragment", ErrConfig)
	case key == "" && base == DefaultBaseURL:
		return nil, fmt.Errorf("%w: there is no API key: set Config.APIKey or OPENAI_API_KEY", ErrConfig)
	case strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return nil, fmt.Errorf("%w: the API key has a control character", ErrConfig)
	}
	opts := []option.RequestOption{option.WithBaseURL(base), option.WithMaxRetries(0)}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	if cfg.HTTPClient != nil {
		opts = append(opts, option.WithHTTPClient(cfg.HTTPClient))
	}
	opts = append(opts, option.WithMiddleware(bounded))
	opts = slices.Concat(opts, cfg.Options)
	// Not the SDK's NewClient, which sends what it finds in the environment to any server.
	return &chatModel{cfg: cfg, key: key, chat: sdk.NewChatCompletionService(opts...)}, nil
}

// validBase accepts what may be shown in an error, and what a path can follow.
func validBase(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}
