package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/internal/fetch"
)

// aim returns the target: the one of the config, or the server of the document that it
// chooses.
func (s *setup) aim() (exchange.Target, error) {
	c := s.config
	switch {
	case c.Server == 0 && len(c.ServerVariables) > 0:
		return exchange.Target{}, errors.New("--server-variable without --server: add --server N with the number of a server of the document")
	case c.Server == 0:
		return exchange.ParseTarget(c.Target)
	case c.Target != "":
		return exchange.Target{}, errors.New("both --target and --server are set: use only one of them")
	}
	address, err := s.server()
	if err != nil {
		return exchange.Target{}, err
	}
	address = s.served(address)
	if !strings.Contains(address, "://") {
		return exchange.Target{}, fmt.Errorf("--server %d: its URL, %q, has no host: give --target with the host", c.Server, address)
	}
	target, err := exchange.ParseTarget(address)
	if err != nil {
		return target, fmt.Errorf("--server %d: %q: %w", c.Server, address, err)
	}
	return target, nil
}

// server returns the address of the server that the config chooses.
func (s *setup) server() (string, error) {
	c, list := s.config, s.contract.Servers()
	switch {
	case len(list) == 0:
		return "", fmt.Errorf("--server %d: the document names no servers: give --target instead", c.Server)
	case c.Server < 1 || c.Server > len(list):
		return "", fmt.Errorf("--server %d: the document names %d servers: use a number from 1 to %d", c.Server, len(list), len(list))
	}
	chosen := list[c.Server-1]
	for _, name := range slices.Sorted(maps.Keys(c.ServerVariables)) {
		if known := chosen.Variables(); !slices.Contains(known, name) {
			return "", fmt.Errorf("--server-variable %s: server %d has no such variable: use one of %s", name, c.Server, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	return chosen.Address(c.ServerVariables)
}

// servers returns the addresses of the servers of the document. Variables without a
// default stay in braces.
func (s *setup) servers() []string {
	var out []string
	for _, x := range s.contract.Servers() {
		address, err := x.Address(nil)
		if err != nil {
			address = x.URL
		}
		out = append(out, s.served(address))
	}
	return out
}

// served resolves the URL of a server, which is relative to the address of the
// document (OpenAPI 3.1, 4.8.5.1).
func (s *setup) served(address string) string {
	ref, err := url.Parse(address)
	if err != nil || ref.IsAbs() || !fetch.IsAddress(s.config.Location) {
		return address
	}
	at, err := fetch.Parse(s.config.Location)
	if err != nil {
		return address
	}
	at.User = nil
	return at.ResolveReference(ref).String()
}

// warnOfPrefix tells the user if the target lacks the path that all servers of the
// document have.
func (s *setup) warnOfPrefix(target exchange.Target) {
	prefix := s.contract.Prefix()
	if s.config.Warn == nil || strings.Contains(target.Prefix+"/", prefix+"/") {
		return
	}
	// A target that has the beginning of the path gets only the rest.
	with := target
	segments := strings.Split(prefix[1:], "/")
	for n := len(segments) - 1; n >= 0; n-- {
		if begin := strings.Join(append([]string{""}, segments[:n]...), "/"); strings.HasSuffix(target.Prefix, begin) {
			with.Prefix = strings.TrimSuffix(target.Prefix, begin) + prefix
			break
		}
	}
	s.config.Warn(fmt.Sprintf("all servers of the document have the path %s, and the target does not: if yours has it, use --target %s", prefix, with))
}
