package contract

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
)

// OwnHeaders returns the request fields that this suite writes itself, so that a
// document or a user cannot set them. Authorization is not one of them: a document
// may name it for a key.
func OwnHeaders() []string {
	return []string{"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Accept", "User-Agent", "Expect", "Connection",
		"Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade", "X-Conformance-Case"}
}

// wire returns an error for names of the document that would change in a request:
// paths, methods, media types and the fields of keys.
func (l *loader) wire() error {
	if paths := l.root.Get("paths"); paths != nil {
		for _, p := range paths.Members {
			if strings.HasPrefix(p.Name, "x-") {
				continue
			}
			at := "/paths/" + jsontree.EscapePointer(p.Name)
			if why := badPath(p.Name); why != "" {
				return l.fail(at, "%s: path %s %s", shown(at), shown(p.Name), why)
			}
			if err := l.methods(at); err != nil {
				return err
			}
		}
	}
	schemes := l.root.At("/components/securitySchemes")
	if schemes == nil {
		return nil
	}
	for _, m := range schemes.Members {
		pointer, s := l.resolve("/components/securitySchemes/" + jsontree.EscapePointer(m.Name))
		if text(s, "/type") != "apiKey" || text(s, "/in") != "header" {
			continue
		}
		switch name := text(s, "/name"); {
		case !exchange.IsToken(name):
			return l.fail(pointer+"/name", "%s/name: %s is not a header name (RFC 9110, 5.6.2): use letters, digits and hyphens", shown(pointer), shown(name))
		case slices.ContainsFunc(OwnHeaders(), func(own string) bool { return strings.EqualFold(own, name) }):
			return l.fail(pointer+"/name", "%s/name: header %s is the suite's own: a key needs another one", shown(pointer), name)
		}
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

// methods returns an error for members of a path item that are meant as methods and
// are no valid names. It also names those that OpenAPI does not define.
func (l *loader) methods(at string) error {
	pointer, item := l.resolve(at)
	if item == nil || item.Kind != jsontree.Object {
		return nil
	}
	for _, m := range item.Members {
		switch {
		case slices.Contains(methods, m.Name), strings.HasPrefix(m.Name, "x-"),
			slices.Contains([]string{"$ref", "summary", "description", "servers", "parameters"}, m.Name):
		case !exchange.IsToken(m.Name):
			below := pointer + "/" + jsontree.EscapePointer(m.Name)
			return l.fail(below, "%s: %s is not a method: OpenAPI has %s", shown(below), shown(m.Name), strings.Join(methods, ", "))
		default:
			l.leaveOut("%s: %s is not a member of a path item: OpenAPI has %s", pointer, m.Name, strings.Join(methods, ", "))
		}
	}
	return nil
}

// shown returns a name of the document in one line of limited length.
func shown(name string) string { return exchange.Visible([]byte(jsontree.Cut(name, 200))) }
