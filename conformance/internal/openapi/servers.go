package openapi

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Server is a server that the document names (OpenAPI 3.1, 4.8.5).
type Server struct {
	URL       string // with {variables}
	variables *jsontree.Value
}

// Servers returns the servers of the document, in its order. Those of single paths and
// operations are not among them.
func (c *Contract) Servers() []Server {
	return serversIn(c.root.Get("servers"))
}

// serversIn reads a list of servers. It returns nil if there is none.
func serversIn(list *jsontree.Value) []Server {
	if list == nil {
		return nil
	}
	var out []Server
	for _, s := range list.Items {
		out = append(out, Server{URL: text(s, "/url"), variables: s.Get("variables")})
	}
	return out
}

// inBraces finds the variables of a URL.
var inBraces = regexp.MustCompile(`\{[^{}]*\}`)

// Variables returns the names of the variables in the URL.
func (s Server) Variables() []string {
	var out []string
	for _, v := range inBraces.FindAllString(s.URL, -1) {
		out = append(out, v[1:len(v)-1])
	}
	return out
}

// Address returns the URL with each variable replaced by its value or else by its
// default.
func (s Server) Address(values map[string]string) (string, error) {
	var wrong error
	address := inBraces.ReplaceAllStringFunc(s.URL, func(braced string) string {
		name := braced[1 : len(braced)-1]
		value, err := s.value(name, values)
		if wrong == nil {
			wrong = err
		}
		return value
	})
	return address, wrong
}

// value returns the value of a variable. A default is taken as it is.
func (s Server) value(name string, values map[string]string) (string, error) {
	variable := s.variables.Get(name)
	value, given := values[name]
	if !given {
		if d := variable.Get("default"); d != nil && isScalar(d) {
			return d.Text, nil
		}
		return "", fmt.Errorf("the variable %s of the server %s has no default: add --server-variable %s=VALUE", name, s.URL, name)
	}
	if enum := variable.Get("enum"); enum != nil && enum.Kind == jsontree.Array {
		if allowed := texts(enum); !slices.Contains(allowed, value) {
			return "", fmt.Errorf("--server-variable %s: the document does not allow this value: use one of %s", name, strings.Join(allowed, ", "))
		}
	}
	return value, nil
}

func isScalar(v *jsontree.Value) bool {
	return v.Kind == jsontree.String || v.Kind == jsontree.Number
}

// Prefix returns the path with which the URLs of all servers begin, without a slash at
// its end. It is empty if there are no servers, or if one has an unknown path.
func (c *Contract) Prefix() string {
	var common []string
	for i, s := range c.Servers() {
		address, err := s.Address(nil)
		if err != nil {
			return ""
		}
		u, err := url.Parse(address)
		if err != nil {
			return ""
		}
		segments := strings.Split(strings.TrimRight(u.EscapedPath(), "/"), "/")
		if segments[0] != "" {
			return "" // it depends on where the document is
		}
		if i == 0 {
			common = segments
		}
		n := 0
		for n < min(len(common), len(segments)) && common[n] == segments[n] {
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}
