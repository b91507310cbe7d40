package main

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
)

// tokens gathers what --token, PLANTSTORE_TOKEN and --token-file give. Its
// errors never hold a token.
func (c *serveCommand) tokens() ([]string, error) {
	all := c.Token
	if c.TokenFile != "" {
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			all = append(all, strings.TrimRight(line, "\r\n"))
		}
	}
	var tokens []string
	for _, t := range all {
		switch {
		case t == "":
		case strings.ContainsFunc(t, func(r rune) bool { return r <= ' ' || r > '~' }):
			return nil, errors.New("a token contains characters that are not allowed in a header: use printable ASCII without spaces, as plantstore token does")
		default:
			tokens = append(tokens, t)
		}
	}
	if len(tokens) == 0 {
		return nil, errors.New("no token to accept: plantstore serve needs --token, --token-file or PLANTSTORE_TOKEN")
	}
	return tokens, nil
}

// certificates reads those of the flags; nil means plain http.
func (c *serveCommand) certificates() (certs *tls.Config, scheme string, err error) {
	switch {
	case c.TLSCert == "" && c.TLSKey == "":
		return nil, "http", nil
	case c.TLSCert == "" || c.TLSKey == "":
		return nil, "", errors.New("--tls-cert and --tls-key must be used together")
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, "", fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, "https", nil
}

type tokenCommand struct{}

// Run makes a token of 130 random bits, in characters that need no quoting.
func (tokenCommand) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, rand.Text())
	return err
}
