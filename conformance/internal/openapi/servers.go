package openapi

import (
	"cmp"
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
		out = append(out, Server{URL: s.TextAt("/url"), variables: s.Get("variables")})
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
		if allowed := enum.Texts(); !slices.Contains(allowed, value) {
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

// elsewhere returns why an operation cannot be tried at the target: it or its path has
// servers of its own, and none of them is a server of the document (OpenAPI 3.1, 4.8.9
// and 4.8.10). It is empty if the operation is at the target.
func (l *loader) elsewhere(item, pointer string) string {
	own := l.ownServers(item, pointer)
	if l.usual == nil {
		// Without servers of the document those that are named first are the usual ones.
		if l.usual = serverURLs(l.root.At("/servers")); l.usual == nil && own != nil {
			l.usual = append([]string{"/"}, own...) // 4.8.1
		}
	}
	usual := func(url string) bool {
		return slices.ContainsFunc(l.usual, func(of string) bool { return sameServer(url, of) })
	}
	if own == nil || slices.ContainsFunc(own, usual) {
		return ""
	}
	return fmt.Sprintf("it has a server of its own, %s: to try it, give a document with that server for all", shown(own[0]))
}

// sameServer reports whether two URLs are of one server. One without a scheme has that of
// the document (RFC 3986, 4.2), which nobody knows.
func sameServer(a, b string) bool {
	_, restA, _ := strings.Cut(a, "//")
	_, restB, _ := strings.Cut(b, "//")
	return a == b || (strings.HasPrefix(a, "//") || strings.HasPrefix(b, "//")) && restA == restB && restA != ""
}

func (l *loader) ownServers(item, pointer string) []string {
	if own := serverURLs(l.root.At(pointer + "/servers")); own != nil {
		return own
	}
	return serverURLs(l.root.At(item + "/servers"))
}

// serverURLs returns the URLs of a list of servers, without a slash at their ends.
func serverURLs(list *jsontree.Value) []string {
	var out []string
	for _, s := range serversIn(list) {
		out = append(out, cmp.Or(strings.TrimRight(s.URL, "/"), s.URL))
	}
	return out
}
