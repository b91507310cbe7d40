package crud

import (
	_ "embed"
	"net"
	"net/http"
)

//go:embed openapi.yaml
var document []byte

// Document returns the OpenAPI document of the service.
func Document() []byte { return append([]byte(nil), document...) }

//go:embed requirements.yaml
var requirements []byte

// Requirements returns the requirements file that goes with the document.
func Requirements() []byte { return append([]byte(nil), requirements...) }

// Credentials are what the service accepts: the bearer token, the key in the
// header X-Desk-Key and the key in the query parameter api_key.
type Credentials struct{ Bearer, DeskKey, QueryKey string }

// DefaultCredentials returns what every service accepts.
func DefaultCredentials() Credentials {
	return Credentials{Bearer: "Crud-Bearer-0123456789aBcDeF", DeskKey: "Crud-Desk-0123456789aBcDeF", QueryKey: "Crud-Query-0123456789aBcDeF"}
}

// Option changes the service.
type Option func(*server)

// WithFault breaks one clause of the document.
func WithFault(f Fault) Option {
	return func(s *server) {
		s.skips[f.skips] = true
		s.quirks[f.Name] = true
		s.principals = s.principals || f.Principals
		s.alters = append(s.alters, f.alter)
		s.arounds = append(s.arounds, f.around)
	}
}

// WithVariant keeps the document in an unusual way.
func WithVariant(v Variant) Option {
	return func(s *server) {
		s.quirks[v.Name] = true
		s.principals = s.principals || v.Principals
		s.alters = append(s.alters, v.alter)
		s.finishes = append(s.finishes, v.finish)
		s.arounds = append(s.arounds, v.around)
		s.listen = v.listen
	}
}

// server is the service. Its quirks are the names of the fault and the variant
// that it has; its skips are checks that it leaves out, each written as
// operation/place/keyword.
type server struct {
	accepted Credentials
	skips    map[string]bool
	quirks   map[string]bool
	// principals reports whether there are two.
	principals bool
	// alters change an answer, finishes do so when its content is bytes.
	alters, finishes []func(*call, *answer)
	// arounds stand around each operation.
	arounds []around
	// listen, if set, changes how connections are accepted.
	listen func(net.Listener) net.Listener
	routes []operation
	store  *store
}

// newServer makes a service without data.
func newServer(opts []Option) *server {
	s := &server{accepted: DefaultCredentials(), skips: map[string]bool{}, quirks: map[string]bool{}, routes: operations(), store: newStore()}
	for _, o := range opts {
		o(s)
	}
	s.store.quirks = s.quirks
	return s
}

// has reports whether the service has a fault or a variant.
func (s *server) has(name string) bool { return s.quirks[name] }

// ServeHTTP authenticates a request, lets its operation answer, and writes the
// answer.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{server: s, request: r}
	c.write(w, c.answer())
}

// answer makes the answer to a request.
func (c *call) answer() *answer {
	op, path, methods := c.match()
	switch {
	case methods != nil:
		a := refusal(http.StatusMethodNotAllowed, "the path has no such method")
		a.header["Allow"] = methods
		return a
	case op == nil:
		return refusal(http.StatusNotFound, "there is no such path")
	}
	c.op, c.path = op, path
	if !c.authenticated() {
		return c.unauthorized()
	}
	c.readQuery()
	if op.media != "" {
		c.readBody()
	}
	return c.do()
}
