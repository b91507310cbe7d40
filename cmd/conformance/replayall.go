package main

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// replayAll sends all failures of a report again, and prints a line for each as soon as
// its outcome is known.
func replayAll(ctx context.Context, sys system, o replayOptions, c conformance.Config, r *report.Report) error {
	pattern := ""
	if o.Pattern != nil {
		pattern = *o.Pattern
	}
	options := textOptions(sys.stdout, o.NoColor, sys.getenv)
	var broken error
	line := waiting(sys, &c)
	all, err := sys.engine.replayReport(ctx, c, r, pattern, func(x report.Replayed) {
		line.clear()
		broken = errors.Join(broken, formats.ReplayedLine(sys.stdout, x, options))
	})
	line.end()
	if err != nil {
		return err
	}
	if err := errors.Join(broken, formats.ReplaySummary(sys.stdout, all, options)); err != nil {
		return err
	}
	switch {
	case all.Gates():
		return errNotConformant
	case all.Count(report.NotTried) > 0:
		return errIncomplete
	}
	return nil
}

// ownOf takes the target of a report if the user names none, that target is on this
// machine, and no credential is sent. A report may come from anybody, and any user of
// this machine may listen there, so it must not choose where a credential goes.
func (o *targetOptions) ownOf(r *report.Report, environ []string) error {
	if o.own() || r.Header.Embedded {
		return nil
	}
	to := "to send there, add --target " + formats.Escape(r.Header.Target)
	at, err := url.Parse(r.Header.Target)
	if err != nil || !here(at.Hostname()) {
		return usagef(to, "no --target, and the report is about a server that is not on this machine")
	}
	if o.credentials(environ) || r.HasCredential() {
		return usagef(to, "no --target, and a credential goes only to a server that you name")
	}
	o.Target = &r.Header.Target
	return nil
}

// credentials reports whether the user gave something that is or may be a credential.
func (o *targetOptions) credentials(environ []string) bool {
	return o.Token != nil || o.TokenFile != nil || o.Login.given() || len(o.Header) > 0 ||
		slices.ContainsFunc(environ, func(line string) bool {
			name, value, _ := strings.Cut(line, "=")
			return value != "" && (name == envToken || strings.HasPrefix(name, conformance.AuthVariable("", false)))
		})
}

// here reports whether a host is this machine, by its name or address.
func here(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
