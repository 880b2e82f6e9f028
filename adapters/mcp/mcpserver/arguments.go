package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	errTwice   = errors.New("it is there twice")
	errUnknown = errors.New("there is no such argument")
)

// requestOf reads the arguments of a call. It knows one spelling of one name, once:
// whoever looks at calls on their way here must have read the same request. What a
// model adds, such as dry_run, would not be done.
func requestOf(raw json.RawMessage) (request string, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("mcpserver: the arguments are not {\"request\": text}: %w", err)
		}
	}()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, err = decoder.Token() // the brace
	for seen := false; err == nil && decoder.More(); seen = true {
		var key json.Token
		if key, err = decoder.Token(); err != nil {
			break
		}
		if key != "request" {
			return "", fmt.Errorf("%q: %w", key, errUnknown)
		}
		if seen {
			return "", fmt.Errorf("%q: %w", key, errTwice)
		}
		err = decoder.Decode(&request)
	}
	return request, err
}

// exact is the largest number of which the digits are all known: the SDK reads
// numbers as float64.
const exact = 1 << 53

// progressToken is that of a call, nil when it has none. A token is a text or a
// whole number; progress under another one would be nobody's.
func progressToken(req *sdk.CallToolRequest) any {
	switch token := req.Params.GetProgressToken().(type) {
	case string:
		return token
	case float64:
		if token == math.Trunc(token) && math.Abs(token) < exact {
			return token
		}
	}
	return nil
}
