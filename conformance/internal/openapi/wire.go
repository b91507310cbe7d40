package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
)

// OwnHeader reports whether this suite writes a request field itself, so that a
// document or a user cannot set it. Authorization is not such a field: a document may
// name it for a key.
func OwnHeader(name string) bool {
	return oneField(name, "Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Accept", "User-Agent", "Expect", "Connection",
		"Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade", "X-Conformance-Case")
}

// sendable returns a fault of a scheme whose key cannot be sent in its place.
func sendable(pointer string, scheme *jsontree.Value) error {
	if text(scheme, "/type") != "apiKey" {
		return nil
	}
	name, in := text(scheme, "/name"), text(scheme, "/in")
	switch {
	case name == "":
		return bad(pointer+"/name", "a key needs a name")
	case in == "header" && !exchange.IsToken(name):
		return bad(pointer+"/name", "%s is not a header name (RFC 9110, 5.6.2): use letters, digits and hyphens", shown(name))
	case in == "header" && OwnHeader(name):
		return bad(pointer+"/name", "header %s is the suite's own: a key needs another one", name)
	case in == "cookie" && !exchange.IsToken(name):
		return bad(pointer+"/name", "%s is not a cookie name (RFC 6265, 4.1.1): use letters, digits and hyphens", shown(name))
	}
	return nil
}

// badPath returns why a path cannot be in a request, which allows "/" and pchars
// (RFC 3986, 3.3), and template expressions (OpenAPI 3.1, 4.8.8).
func badPath(path string) string {
	if !strings.HasPrefix(path, "/") {
		return `does not begin with "/"`
	}
	const others = "/-._~!$&'()*+,;=:@"
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(others, c) >= 0:
		case c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]):
		case c == '{':
			n := strings.IndexAny(path[i+1:], "{}/?#")
			if n < 1 || path[i+1+n] != '}' {
				return "has a brace without its other half"
			}
			i += n + 1
		case c == '}':
			return "has a brace without its other half"
		default:
			return "holds " + shown(string([]rune(path[i:])[:1])) + ", which is not allowed in a path (RFC 3986, 3.3): percent-encode it"
		}
	}
	return ""
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// strange names the members of a path item that OpenAPI does not define. They may be
// meant as methods.
func (l *loader) strange(pointer string) {
	item := l.root.At(pointer)
	_, known := l.methodsOf(item)
	for _, m := range item.Members {
		if slices.Contains(known, "/"+jsontree.EscapePointer(m.Name)) || m.Name == "additionalOperations" && strings.HasPrefix(l.c.OpenAPI, "3.2") || strings.HasPrefix(m.Name, "x-") ||
			slices.Contains([]string{"$ref", "summary", "description", "servers", "parameters"}, m.Name) {
			continue
		}
		l.leaveOut("%s: %s is not a member of a path item: OpenAPI has %s", shown(l.c.Clause(pointer)), shown(m.Name), strings.Join(methods, ", "))
	}
}

// shown returns a name of the document in one line of limited length.
func shown(name string) string { return exchange.Visible([]byte(jsontree.Cut(name, 200))) }

// nearer returns the paths of the document that a request to a template could spell, and that have
// text where the template has an expression.
func (l *loader) nearer(template string) []string {
	if !strings.Contains(template, "{") {
		return nil
	}
	var out []string
	own := strings.Split(template, "/")
	for _, p := range l.root.Get("paths").Members {
		path, _, _ := strings.Cut(p.Name, "#")
		more, segments := false, strings.Split(path, "/")
		if badPath(path) != "" || len(segments) != len(own) || !slices.EqualFunc(segments, own, func(a, b string) bool {
			more = more || literals(a) > literals(b)
			return a == b || strings.Contains(a, "{") || strings.Contains(b, "{")
		}) {
			continue
		}
		if more && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// literals ranks a segment of a path: an expression, one with text beside it, text alone.
func literals(segment string) int {
	switch open, end := strings.IndexByte(segment, '{'), strings.IndexByte(segment, '}'); {
	case open < 0:
		return 2
	case open > 0 || end < len(segment)-1:
		return 1
	}
	return 0
}
