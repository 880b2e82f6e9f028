package mcp

import (
	"regexp"
	"slices"
	"strings"
)

// secretWords are what fields are called that want what nobody else is to know. It
// is a net, and no promise: a server can call its field anything. secretNumbers are
// those of them that a number can be.
var (
	secretWords = strings.Fields(`password passwords passwd pwd passphrase passcode passwort kennwort contraseña secret secrets
		credential credentials token apikey authtoken accesstoken mfa 2fa pass_word pass_phrase pass_code api_key private_key access_key
		secret_key encryption_key signing_key ssh_key licence_key license_key auth_code seed_phrase login_data mot_de_passe`)
	secretNumbers = strings.Fields(`pin otp totp cvv cvc passcode security_code verification_code recovery_code backup_code login_code
		one_time_code credit_card card_number`)
)

// isSecret reports whether a field seems to want a secret.
func (f field) isSecret() bool {
	if !f.isFree() {
		return false
	}
	number := f.Type == "integer" || f.Type == "number"
	return names(f.name, number) || names(f.Title, number)
}

// isFree reports whether any answer fits: what is chosen from a list, or is yes or
// no, is no secret.
func (f field) isFree() bool {
	return f.Type != "boolean" && f.Type != "array" && len(f.options()) == 0
}

// names reports whether a text has the name of a secret, or of one that is a number.
func names(text string, number bool) bool {
	words := "_" + strings.Join(wordsOf(text), "_") + "_"
	in := func(name string) bool { return strings.Contains(words, "_"+name+"_") }
	return slices.ContainsFunc(secretNumbers, in) || !number && slices.ContainsFunc(secretWords, in)
}

var (
	camel = regexp.MustCompile(`(\p{Ll}|\d)(\p{Lu})`)
	word  = regexp.MustCompile(`[\p{L}\d]+`)
)

// wordsOf are the words of a name such as apiKey, API_KEY or "API key", in small
// letters.
func wordsOf(text string) []string {
	return word.FindAllString(strings.ToLower(camel.ReplaceAllString(text, "$1 $2")), -1)
}
