package llmtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const (
	hidden         = "***"
	shortestSecret = 4 // a shorter one would blot out half of what it is found in
)

// cleaner makes texts fit for a file.
type cleaner struct {
	patterns  []*regexp.Regexp // of the secrets, the longest first, so that no part of one is left
	encoded   []string         // what they are in base64 and hex, likewise
	redact    func(string) string
	normalize func(string) string
}

func newCleaner(opts CassetteOptions, recording bool) (*cleaner, error) {
	c := &cleaner{redact: opts.Redact, normalize: timesAndIDs}
	if own := opts.Normalize; own != nil {
		c.normalize = func(text string) string { return own(timesAndIDs(text)) }
	}
	secrets := slices.Clone(opts.Secrets)
	for i, secret := range secrets {
		switch {
		case secret == "" && !recording:
			continue // the variable that has it is set where the test records
		case secret == "":
			return nil, fmt.Errorf("value %d of Secrets is empty", i+1)
		case len(secret) < shortestSecret:
			return nil, fmt.Errorf("value %d of Secrets has fewer than %d bytes: it would be found everywhere; use Redact", i+1, shortestSecret)
		}
		c.encoded = append(c.encoded, encodedForms(secret)...)
	}
	for _, secret := range longestFirst(secrets) {
		if secret != "" {
			c.patterns = append(c.patterns, secretPattern(secret))
		}
	}
	c.encoded = longestFirst(c.encoded)
	return c, nil
}

// longestFirst sorts texts in place, and leaves out what is there twice.
func longestFirst(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	return slices.Compact(texts)
}

// hide returns a text without secrets. What is no UTF-8 would come back from the
// file as something else, so it is replaced first.
func (c *cleaner) hide(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	for _, p := range c.patterns {
		text = p.ReplaceAllLiteralString(text, hidden)
	}
	for _, form := range c.encoded {
		text = strings.ReplaceAll(text, form, hidden)
	}
	if c.redact != nil {
		text = strings.ToValidUTF8(c.redact(text), "\ufffd")
	}
	return text
}

// ask returns a text of a request as it is compared.
func (c *cleaner) ask(text string) string {
	text = c.hide(text)
	if text != "" {
		text = strings.ToValidUTF8(c.normalize(text), "\ufffd")
	}
	return text
}

// found is the last look at what is to be written.
func (c *cleaner) found(file []byte) bool {
	return slices.ContainsFunc(c.patterns, func(p *regexp.Regexp) bool { return p.Match(file) }) ||
		slices.ContainsFunc(c.encoded, func(form string) bool { return bytes.Contains(file, []byte(form)) })
}

// pattern is what a credential looks like. Where words of a sentence could look the
// same, its group must have a digit.
type pattern struct {
	what  string
	find  *regexp.Regexp
	digit bool
}

var patterns = []pattern{
	{"a bearer token", regexp.MustCompile(`(?i)\bbearer[\s:]+([a-z0-9._~+/=-]{12,})`), true},
	{"basic credentials", regexp.MustCompile(`(?i)\bbasic\s+([a-z0-9+/_-]{12,}={0,2})`), true},
	{"an Authorization header", regexp.MustCompile(`(?i)\bauthorization[\\"']*\s*[:=]\s*[\\"'\[]*([^\s"'\\,;]{8,})`), true},
	{"an API key", regexp.MustCompile(`(?i)\b(?:x-)?api[-_ ]?key[\\"']*\s*[:=]\s*[\\"'\[]*([a-z0-9._-]{16,})`), true},
	{"a key that begins with sk-", regexp.MustCompile(`\bsk-([A-Za-z0-9_-]{16,})`), true},
	{"a GitHub token", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{40,}`), false},
	{"a GitLab token", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`), false},
	{"a Slack token", regexp.MustCompile(`\bxox[abeoprs]-([A-Za-z0-9-]{10,})`), true},
	{"a Google API key", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`), false},
	{"an AWS access key", regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), false},
	{"a Hugging Face token", regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}`), false},
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`), false},
	{"a JSON Web Token", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), false},
	{"a password in a URL", regexp.MustCompile(`[a-z]://[^/\s:@"'*]+:[^/\s:@"'*]{3,}@`), false},
}

// suspicious says what a text seems to hold that belongs in no file, "" for nothing.
func suspicious(text string) string {
	for _, p := range patterns {
		for _, m := range p.find.FindAllStringSubmatch(text, -1) {
			if !p.digit || strings.ContainsAny(m[1], "0123456789") {
				return p.what
			}
		}
	}
	return ""
}

// errSecret ends a recording that would hold a secret.
var errSecret = errors.New("a secret would be in it: does Normalize put one back?")
