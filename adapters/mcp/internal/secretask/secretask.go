// Package secretask finds texts that ask a person for a password or the like, which MCP forbids for a form.
// It knows a list of words in few languages: a net, and no promise.
package secretask

import (
	"regexp"
	"strings"
)

var (
	camel  = regexp.MustCompile(`(\p{Ll}|\d)(\p{Lu})`)
	others = regexp.MustCompile(`[^\p{L}\d]+`)
	secret = regexp.MustCompile(` (pass ?(word|phrase|code)s?|passwd|pwd|passwort|kennwort|mot de passe|contraseña|secrets?|credentials?|seed phrase` +
		`|pin|otp|totp|tan|cvv|cvc|mfa|2 ?fa|one time (code|password)|(verification|security|recovery|backup|log ?in|auth) code` +
		`|(api|access|private|secret|encryption|signing|ssh|licen[cs]e) ?keys?|(access|auth|api|bearer|refresh|session) ?tokens?` +
		`|pin (code|number)|log ?in data|credit ?card|card number) `)
)

// Asks reports whether a text, or a name such as apiKey or API_KEY, speaks of a secret.
func Asks(text string) bool { return secret.MatchString(words(text)) }

// Field reports whether a field of this name asks for a secret. Alone, the word token is one only in a name.
func Field(name string) bool { return Asks(name) || strings.HasSuffix(words(name), " token ") }

func words(text string) string {
	return " " + strings.ToLower(others.ReplaceAllString(camel.ReplaceAllString(text, "$1 $2"), " ")) + " "
}
