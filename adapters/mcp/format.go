package mcp

import (
	"errors"
	"net/mail"
	"net/url"
	"strings"
	"time"
)

// kind is what the format of a text wants, as a person reads it. MCP knows
// these formats, and the SDK takes no form with another.
func (f field) kind() string {
	switch f.Format {
	case "date":
		return "a date, such as 1999-12-31"
	case "date-time":
		return "a date and time, such as 1999-12-31T23:59:59Z"
	case "email":
		return "an email address"
	case "uri":
		return "a web address or other URI, such as https://example.org"
	}
	return "a text"
}

// formed says what is wrong with a text of a format.
func (f field) formed(text string) error {
	switch f.Format {
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return errors.New("it is no date such as 1999-12-31")
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return errors.New("it is no date and time such as 1999-12-31T23:59:59Z")
		}
	case "email":
		if address, err := mail.ParseAddress(text); err != nil || address.Address != text {
			return errors.New("it is no email address")
		}
	case "uri":
		u, err := url.Parse(text)
		if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" && u.Path == "" || strings.ContainsAny(text, " \t\n<>\"") {
			return errors.New("it is no URI with a scheme, such as https://example.org")
		}
	}
	return nil
}
