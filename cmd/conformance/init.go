package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance"
	"plantstore/internal/fetch"
)

// initOptions are the flags of init.
type initOptions struct {
	Target *string `placeholder:"URL" help:"Base URL of the server."`
	Spec   *string `placeholder:"FILE|URL" help:"OpenAPI document (default: the plant store)."`
	Output string  `placeholder:"FILE" default:"conformance.yaml" help:"File to write (default conformance.yaml)."`
	Force  bool    `help:"Replace the file if it exists."`
}

// start writes a settings file. It reads the document first, and refuses one that no run
// can read.
func start(ctx context.Context, sys system, o initOptions) error {
	var c conformance.Config
	s := settings.Start{}
	if o.Spec != nil {
		s.Spec = *o.Spec
	}
	if o.Target != nil {
		s.Target = *o.Target
	}
	if credential("target", s.Target) || credential("spec", s.Spec) {
		return usagef("give the address without it", "a credential does not belong in a settings file")
	}
	if err := (documentOptions{contractOptions: contractOptions{Spec: o.Spec}}).apply(&c); err != nil {
		return err
	}
	l, err := sys.engine.list(ctx, c)
	if err != nil {
		return err
	}
	s.Document, s.Servers = l.Document, l.Servers
	if s.Spec != "" && !filepath.IsAbs(s.Spec) && !fetch.IsAddress(s.Spec) {
		// Paths in the file are relative to its folder.
		if moved, err := filepath.Rel(filepath.Dir(o.Output), s.Spec); err == nil {
			s.Spec = moved
		}
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if o.Force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	// Other people of the project read it, and it holds no secret.
	f, err := os.OpenFile(o.Output, flags, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usagef("add --force to replace it, or give another name with --output", "%s: the file exists", o.Output)
	case err != nil:
		return usagef("give a path that can be written", "--output %s: %v", o.Output, bare(err))
	}
	_, err = f.WriteString(s.Text())
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("--output %s: %w", o.Output, bare(err))
	}
	_, err = fmt.Fprintf(sys.stdout, "wrote %s: check it with conformance run --print-config\n", o.Output)
	return err
}
