package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/spec"
)

// documentOptions say which contract to judge by.
type documentOptions struct {
	contractOptions `group:"document"`
	Settings        settingsOptions `embed:"" group:"settings"`
}

// contractOptions are documentOptions without a settings file.
type contractOptions struct {
	Spec         *string  `placeholder:"FILE|URL" help:"OpenAPI document (YAML or JSON) to test against: a file, or an http or https address, which is read once (default: the plant store)."`
	AllowRef     []string `sep:"none" placeholder:"PREFIX" help:"Let $ref lead to this address or folder and to what is below it, such as https://example.com/schemas/ or ../common. Without it, only files below the folder of the document are read. Repeatable."`
	Value        []string `sep:"none" placeholder:"PLACE=VALUE" help:"For a server that allows only some values of a member or a parameter: one that it accepts, such as /member=word or query/limit=5. Write OPERATION:PLACE=VALUE for a single operation. Repeatable."`
	Values       *string  `placeholder:"FILE" help:"Values file (YAML): for each operation the values of its parameters and members, where they come from, or why it cannot be reached. Make one with conformance reach --write FILE."`
	Effort       string   `group:"cases" predictor:"effort" placeholder:"LEVEL" help:"How much is tried: smoke (about 30 requests for each operation), gate (about 300; more in a document of fewer than 30 operations), full (everything but long waits and long runs) or deep (those too). Without the flag, it is full for up to 5 operations and gate for more. The verdict is partial if a requirement gets no case."`
	Requirements *string  `placeholder:"FILE" help:"Requirements file: replaces the text of derived requirements and adds others."`
}

// given reports whether any option is set.
func (o contractOptions) given() bool {
	return o.Spec != nil || o.Requirements != nil || len(o.Value) > 0 || o.Values != nil || o.Effort != "" || len(o.AllowRef) > 0
}

// apply reads the files into the configuration.
func (o contractOptions) apply(c *conformance.Config) (err error) {
	if o.Spec != nil {
		if err = readSpec(*o.Spec, c); err != nil {
			return err
		}
		roomier(len(c.Spec))
	}
	c.Values, c.Effort, c.AllowRef = o.Value, o.Effort, o.AllowRef
	if o.Values != nil {
		c.ValuesName = *o.Values
		if c.ValuesFile, err = read("--values", *o.Values, "give a values file"); err != nil {
			return err
		}
	}
	if o.Requirements != nil {
		c.RequirementsName = *o.Requirements
		c.Requirements, err = read("--requirements", *o.Requirements, "give a requirements file")
	}
	return err
}

// targetOptions say whom to send to, and how.
type targetOptions struct {
	Target        *string       `group:"server" placeholder:"URL" help:"Base URL of the server (default: start the embedded reference server)."`
	Server        serverOptions `embed:"" group:"server"`
	accessOptions `group:"server"`
}

// accessOptions say how to talk to a server, whichever it is.
type accessOptions struct {
	Token       *string     `group:"login" placeholder:"TOKEN" help:"Token that the server accepts. Other users can see it in the process list: prefer --token-file or CONFORMANCE_TOKEN. Ignored for the embedded reference server."`
	TokenFile   *string     `group:"login" placeholder:"FILE" help:"File that contains the token; overrides CONFORMANCE_TOKEN."`
	Login       authOptions `embed:"" group:"login"`
	Header      []header    `sep:"none" placeholder:"'NAME: VALUE'" help:"Header to send with every request. Values of headers such as Authorization, Cookie, X-Api-Key or X-...-Token are redacted like the token. If it may hold a credential, no request is without one: the cases about credentials are left out. Repeatable."`
	NameCases   bool        `help:"For debugging: send the case id of each request in the header X-Conformance-Case. The report says so."`
	Traceparent bool        `help:"Send a trace context (the header Traceparent of W3C Trace Context) with every request, so that you can find a failing request in the traces of the server. All requests of a case share a trace id, which is derived from the seed and the id of the case. The report has the ids."`
	CACert      *string     `name:"ca-cert" placeholder:"FILE" help:"PEM certificates to trust in addition to the system's."`
	Insecure    bool        `help:"Trust any certificate."`
	Wait        duration    `placeholder:"TIME" help:"How long to wait for the server to be ready: to give any answer except 503 (default: not at all)."`
	Timeout     duration    `placeholder:"TIME" help:"Time limit for one answer (default 10s)."`
	Settle      duration    `placeholder:"TIME" help:"How long to wait for an accepted change to become visible (default 2s). Reads are repeated until then."`
	Keep        bool        `help:"Do not clean up. By default, everything that was created is deleted at the end, where the document has an operation for it."`
}

// apply checks the options and puts them into the configuration, all but the
// embedded server. The error is a *usageError.
func (o targetOptions) apply(c *conformance.Config, getenv func(string) string) error {
	if err := o.Server.apply(c); err != nil {
		return err
	}
	if o.Target != nil && strings.TrimSpace(*o.Target) == "" {
		return usagef("give the base URL of your server, or leave out the flag to test the embedded reference server", "--target is empty")
	}
	token, err := o.token(getenv)
	if err != nil {
		return err
	}
	if o.Target != nil {
		c.Target = *o.Target
	}
	if o.own() {
		c.Token = token
		if err := o.Login.apply(c, getenv); err != nil {
			return err
		}
	} else if o.Login.given() {
		return usagef("add --target URL", "--auth, --cert and --key are for your own server")
	}
	c.TraceParent = o.Traceparent
	for _, h := range o.Header {
		if !o.own() && strings.HasPrefix(string(h), "Authorization:") {
			return usagef("add --target URL", "--header Authorization is for your own server")
		}
		if o.Traceparent && strings.HasPrefix(string(h), "Traceparent:") {
			return usagef("use only one of them", "--traceparent and --header Traceparent are both set")
		}
		c.Headers = append(c.Headers, string(h))
	}
	if o.CACert != nil {
		if c.CACert, err = read("--ca-cert", *o.CACert, "give a file of PEM certificates"); err != nil {
			return err
		}
	}
	c.Insecure, c.NameCases, c.Keep = o.Insecure, o.NameCases, o.Keep
	c.Wait, c.Timeout, c.Settle = time.Duration(o.Wait), time.Duration(o.Timeout), time.Duration(o.Settle)
	return nil
}

// own reports whether the user names a server.
func (o targetOptions) own() bool { return o.Target != nil || o.Server.Number != 0 }

// reach starts the embedded reference server where no target is given. The
// function it returns stops it.
func (o targetOptions) reach(ctx context.Context, c *conformance.Config, e engine) (stop func(), err error) {
	if o.own() {
		return func() {}, nil
	}
	if c.Spec != nil && !bytes.Equal(c.Spec, spec.OpenAPI) {
		// A broken document is the better message.
		l, err := e.list(ctx, *c)
		if err != nil {
			return nil, err
		}
		return nil, usagef(orServer(l.Servers), "--spec without --target: the embedded reference server does not serve this document")
	}
	s, err := e.reference(nil)
	if err != nil {
		return nil, &conformance.SetupError{Err: err}
	}
	c.Target, c.Token, c.Embedded = s.URL, s.Token, true
	return s.Close, nil
}

// warn tells what is doubtful about the options, and later about the document.
func warn(w io.Writer, c *conformance.Config) {
	c.Warn = func(line string) {
		_, _ = fmt.Fprintln(w, "conformance: warning: "+formats.Escape(line)) // a warning that nobody reads ends nothing
	}
	for _, line := range conformance.Warnings(*c) {
		c.Warn(line)
	}
}

// What is read of a file at most, in bytes: one without an end must not fill the
// memory.
const (
	largestFile     = 64 << 20
	largestDocument = 40 << 20 // what is read into less than 512 MiB
)

// read reads a file that a flag names. The error is a *usageError.
func read(flag, path, hint string) ([]byte, error) { return readUpTo(largestFile, flag, path, hint) }

// readUpTo is read with another bound; a regular file beyond it is not read at
// all.
func readUpTo(maximum int64, flag, path, hint string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usagef(hint, "%s %s: %v", flag, path, bare(err))
	}
	defer f.Close()
	var data bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= maximum {
		data.Grow(int(info.Size()) + bytes.MinRead)
	} else if err == nil && info.Mode().IsRegular() {
		return nil, usagef(hint, "%s %s: %d bytes, longer than %d MiB", flag, path, info.Size(), maximum>>20)
	}
	_, err = data.ReadFrom(io.LimitReader(f, maximum+1))
	switch {
	case err != nil:
		return nil, usagef(hint, "%s %s: %v", flag, path, bare(err))
	case int64(data.Len()) > maximum:
		return nil, usagef(hint, "%s %s: longer than %d MiB", flag, path, maximum>>20)
	case len(bytes.TrimSpace(data.Bytes())) == 0:
		return nil, usagef(hint, "%s %s: the file is empty", flag, path)
	}
	return data.Bytes(), nil
}

// bare is the cause of a file error without operation and path, which the
// message names already.
func bare(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
