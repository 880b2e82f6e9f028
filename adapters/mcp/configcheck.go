package mcp

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// check says what is wrong with a config, without quoting what may be secret.
func (c *Config) check() error {
	var problems []error
	if len(c.Servers) == 0 {
		problems = append(problems, errors.New("there are no servers"))
	}
	seen := map[string]bool{}
	for i, s := range c.Servers {
		name := s.Name
		if name == "" {
			name = fmt.Sprint("number ", i)
		}
		problem := s.problem(seen[s.Name])
		if problem == "" {
			problem = c.swallows(s.Name)
		}
		if problem != "" {
			problems = append(problems, fmt.Errorf("server %s %s", name, problem))
		}
		seen[s.Name] = true
	}
	if c.Sampling != nil && nilcheck.IsNil(c.Sampling.Model) {
		problems = append(problems, fmt.Errorf("sampling: %w", llm.ErrNoModel))
	}
	for _, root := range c.Roots {
		if _, err := rootURI(root); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return &ConfigError{Err: err}
	}
	return nil
}

// swallows says that a name is that of another server with a dot behind it: then "a.b.c"
// could be a tool of either.
func (c *Config) swallows(name string) string {
	for _, other := range c.Servers {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(other.Name)+".") {
			return fmt.Sprintf("has a Name that begins with that of server %s and a dot, so that their tools could not be told apart", other.Name)
		}
	}
	return ""
}

func (s *Server) problem(taken bool) string {
	ways := 0
	for _, given := range []bool{len(s.Command) > 0, s.URL != "", !nilcheck.IsNil(s.Transport)} {
		if given {
			ways++
		}
	}
	switch {
	case strings.TrimSpace(s.Name) == "":
		return "has no Name"
	case taken:
		return "has the Name of another"
	case ways != 1:
		return "needs one of Command, URL and Transport"
	case len(s.Command) > 0 && s.Command[0] == "":
		return "has a Command without a program"
	case s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "has a URL that is none of http or https"
		}
	}
	for _, variable := range s.Env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			return "has an Env that is not NAME=value"
		}
	}
	return ""
}

// rootURI is a folder in the form in which servers are told of it.
func rootURI(root string) (string, error) {
	if strings.HasPrefix(root, "file://") {
		return root, nil
	}
	if !filepath.IsAbs(root) {
		return "", fmt.Errorf("the root %q is no absolute path and no file URI", root)
	}
	path := filepath.ToSlash(root)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String(), nil
}
