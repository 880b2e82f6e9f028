package policies

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// listError says that an allow-list cannot be made because one of its entries means
// nothing. list is what the list is of: roots, hosts, schemes or base.
func listError(list, entry, reason string) error {
	return fmt.Errorf("policies: %s: %s %s", list, quote(entry), reason)
}

// quote makes a text of others fit for a reason: on one line, with everything that is not plain ASCII escaped, so that
// nothing in it can be taken for something else. Of a long one it says how long it is: half a secret, which no
// redaction would find, is not shown.
func quote(text string) string {
	const limit = 200
	if len(text) > limit {
		return clip.Name(text, limit)
	}
	return strconv.QuoteToASCII(text)
}

// quoteOf is quote for a part of a value of a command, which may be a secret, or a part of one.
func quoteOf(tool desktop.Tool, cmd desktop.Command, part, value string) string {
	box, err := desktop.NewToolbox([]desktop.Tool{tool}, desktop.LeaveToTool)
	if err != nil || tool.Name != cmd.ToolName {
		return `"***"`
	}
	for _, secret := range box.Secrets(cmd) {
		if strings.Contains(value, secret) || part != "" && strings.Contains(secret, part) {
			return `"***"`
		}
	}
	return quote(part)
}
