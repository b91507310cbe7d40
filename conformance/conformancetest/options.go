package conformancetest

import (
	"maps"
	"net"
	"net/http"

	"plantstore/conformance"
)

// Target is the server to test. URL and Handler return one.
type Target struct {
	url     string
	handler http.Handler
}

// URL returns a running server, given its base URL.
func URL(base string) Target { return Target{url: base} }

// Handler returns a server for a handler. It listens on the loopback interface during
// the run, so that the suite tests the same bytes as any client sees.
func Handler(h http.Handler) Target { return Target{handler: h} }

// start gives the base address of the target and what ends it.
func (t Target) start() (url string, stop func(), err error) {
	if t.handler == nil {
		return t.url, func() {}, nil
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: t.handler}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(ln) // Close ends it with an error that says just that
	}()
	return "http://" + ln.Addr().String(), func() { _ = server.Close(); <-served }, nil
}

// Option changes how a target is tested.
type Option func(*conformance.Config)

// Token sets the credential that the target accepts.
func Token(t string) Option { return func(c *conformance.Config) { c.Token = t } }

// Auth sets the credential of one security scheme of the document: a token, a key, or
// user:password.
func Auth(scheme, credential string) Option {
	return func(c *conformance.Config) {
		auth := maps.Clone(c.Auth)
		if auth == nil {
			auth = map[string]string{}
		}
		auth[scheme], c.Auth = credential, auth
	}
}

// AuthOther sets the credential of another principal, who must neither read, change nor
// delete what the usual one makes, where the document lists 403 or 404.
func AuthOther(scheme, credential string) Option {
	return func(c *conformance.Config) {
		auth := maps.Clone(c.AuthOther)
		if auth == nil {
			auth = map[string]string{}
		}
		auth[scheme], c.AuthOther = credential, auth
	}
}

// Document sets the OpenAPI document, in YAML or JSON (default: the plant store). The
// name is used in messages.
func Document(name string, spec []byte) Option {
	return func(c *conformance.Config) { c.SpecName, c.Spec = name, spec }
}

// With changes any other part of the configuration: seed, workers, selection, time
// limits, or the level that fails.
func With(change func(*conformance.Config)) Option { return change }
