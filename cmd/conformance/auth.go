package main

import (
	"strings"

	"plantstore/conformance"
)

// authOptions say how to authenticate, beside the token.
type authOptions struct {
	Auth []named `sep:"none" placeholder:"NAME=VALUE" help:"Credential of one security scheme of the document: a token, a key, or user:password. Other users can see it in the process list: prefer the environment variable CONFORMANCE_AUTH_NAME (NAME in upper case, with _ for other characters than letters and digits). Repeatable."`
	Cert *string `placeholder:"FILE" help:"Client certificate (PEM), for every connection."`
	Key  *string `placeholder:"FILE" help:"Key of the client certificate (PEM)."`
}

// given reports whether any of them is.
func (o authOptions) given() bool { return len(o.Auth) > 0 || o.Cert != nil || o.Key != nil }

// named is a value with the name of a security scheme.
type named struct{ name, value string }

func (n *named) UnmarshalText(text []byte) error {
	name, value, found := strings.Cut(string(text), "=")
	if !found || name == "" || value == "" {
		// The value may be a secret: it is not repeated.
		return usagef("write NAME=VALUE, with the name of a security scheme of the document", "not a name and a value")
	}
	*n = named{name, value}
	return nil
}

// apply puts the options into the configuration. The error is a *usageError.
func (o authOptions) apply(c *conformance.Config, getenv func(string) string) (err error) {
	if len(o.Auth) > 0 {
		c.Auth = map[string]string{}
	}
	for _, a := range o.Auth {
		if _, twice := c.Auth[a.name]; twice {
			return usagef("give each security scheme one credential", "--auth %s is set twice", a.name)
		}
		c.Auth[a.name] = a.value
	}
	c.Getenv = getenv
	switch {
	case (o.Cert == nil) != (o.Key == nil):
		return usagef("give both", "--cert and --key belong together")
	case o.Cert == nil:
		return nil
	}
	if c.Cert, err = read("--cert", *o.Cert, "give a file with a PEM certificate"); err != nil {
		return err
	}
	c.Key, err = read("--key", *o.Key, "give a file with the PEM key of the certificate")
	return err
}
