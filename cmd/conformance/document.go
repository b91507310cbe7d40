package main

import (
	"context"
	"net/url"
	"os"
	"path/filepath"

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
