package main

import (
	"fmt"
	"strconv"
	"strings"

	"plantstore/conformance"
	"plantstore/internal/fetch"
)

// serverOptions choose a server of the document.
type serverOptions struct {
	Number    index      `name:"server" placeholder:"N" help:"Test server N of the document (from 1; conformance list shows them), instead of --target."`
	Variables []variable `name:"server-variable" sep:"none" placeholder:"NAME=VALUE" help:"Value of a variable in the URL of that server (default: the one in the document). Repeatable."`
}

// apply puts the options into the configuration. The error is a *usageError.
func (o serverOptions) apply(c *conformance.Config) error {
	c.Server = int(o.Number)
	if len(o.Variables) > 0 {
		c.ServerVariables = map[string]string{}
	}
	for _, v := range o.Variables {
		if _, twice := c.ServerVariables[v.name]; twice {
			return usagef("give each variable one value", "--server-variable %s is set twice", v.name)
		}
		c.ServerVariables[v.name] = v.value
	}
	return nil
}

// index is a number in a list, from 1, so that zero can mean it was not given.
type index int

func (i *index) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 {
		return usagef("write a whole number from 1 up", "%q is not the number of a server", text)
	}
	*i = index(v)
	return nil
}

// variable is a variable in the URL of a server, and its value.
type variable struct{ name, value string }

func (v *variable) UnmarshalText(text []byte) error {
	name, value, found := strings.Cut(string(text), "=")
	if !found || name == "" {
		return usagef("write NAME=VALUE", "%q is not a variable and its value", text)
	}
	*v = variable{name, value}
	return nil
}

// orServer says which flag to add if there is no target. A server of the document is
// asked only if the user says so.
func orServer(servers []string) string {
	only, n := 0, 0
	for i, s := range servers {
		if fetch.IsAddress(s) {
			only, n = i, n+1
		}
	}
	switch n {
	case 0:
		return "add --target URL"
	case 1:
		return fmt.Sprintf("add --server %d to test %s, or --target URL", only+1, servers[only])
	}
	return "add --target URL, or --server N to test one of the servers that conformance list shows"
}
