package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"plantstore/conformance"
	"plantstore/internal/fetch"
)

// readSpec reads the document, from a file or from an address. The error is a
// *usageError.
func readSpec(spec string, c *conformance.Config) (err error) {
	if fetch.IsAddress(spec) {
		return fetchSpec(spec, c)
	}
	c.SpecName, c.Location = spec, spec
	if c.Spec, err = readUpTo(largestDocument, "--spec", spec, "give an OpenAPI document"); err != nil {
		return err
	}
	// A root follows no link that leads out of it.
	if folder, err := os.OpenRoot(filepath.Dir(spec)); err == nil {
		c.Files = folder.FS()
	}
	return nil
}

// fetchSpec asks for the document once. Whoever names an address also trusts those
// that it redirects to.
func fetchSpec(address string, c *conformance.Config) error {
	at, err := fetch.Parse(address)
	if err != nil {
		// It may hold a password: it is not repeated.
		return usagef("write it like https://example.com/openapi.yaml", "--spec: %v", err)
	}
	c.SpecName = fetch.Shown(at)
	data, at, err := fetch.Read(context.Background(), at, largestDocument, func(*url.URL) bool { return true })
	if err != nil {
		return usagef("check the address, or give the document as a file", "--spec %s: %v", c.SpecName, err)
	}
	c.Spec, c.Location = data, at.String()
	return nil
}

// expand gives the files of a path. Where no shell has expanded a pattern, as in an image
// without one, this does; a file whose name only looks like a pattern is that file. The
// error is a *usageError.
func expand(path string) ([]string, error) {
	if _, err := os.Lstat(path); err == nil || !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	files, err := filepath.Glob(path) // sorted
	if err != nil || len(files) == 0 {
		return nil, usagef("check the folder and the pattern", "no file matches %s", path)
	}
	return files, nil
}

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
