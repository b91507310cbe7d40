package conformancetest

import (
	"net"
	"net/http"

	"plantstore/conformance"
)

// Target is whom to judge: URL or Handler makes one.
type Target struct {
	url     string
	handler http.Handler
}

// URL is a server that runs already, by its base address.
func URL(base string) Target { return Target{url: base} }

// Handler is served over TCP on the loopback interface for as long as the run
// takes: what is judged are bytes, as any client sees them.
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

// Option changes how a target is judged.
type Option func(*conformance.Config)

// Token is the credential that the target accepts.
func Token(t string) Option { return func(c *conformance.Config) { c.Token = t } }

// Document judges by another OpenAPI document, YAML or JSON, instead of the
// built-in one; the name stands for it in messages.
func Document(name string, spec []byte) Option {
	return func(c *conformance.Config) { c.SpecName, c.Spec = name, spec }
}

// With changes anything else of the configuration: seed, workers, selection,
// time limits, the level that fails.
func With(change func(*conformance.Config)) Option { return change }
