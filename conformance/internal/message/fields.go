package message

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// fields returns the fields of a message in the order in which they are sent.
func (e *Endpoint) fields(m *Message, inputs serialize.Encoded, presented []Presented, keys int, caseID, media string, length int, show bool) []exchange.Field {
	out := e.usualFields(m, inputs, presented, keys, caseID, media, length, show)
	for _, f := range m.Fields {
		if len(inputs.Cookie) > 0 && strings.EqualFold(f.Name, "Cookie") {
			f.Value = strings.Join(append(slices.Clone(inputs.Cookie), f.Value), "; ") // a request has one such field (RFC 6265, 5.4)
		}
		if m.Framing == AsIs && isFraming(f.Name) {
			out = append(out, f)
			continue
		}
		out = override(out, f)
	}
	for _, name := range m.Drop {
		out = drop(out, name)
	}
	if m.Order != UsualOrder {
		m.Order.sort(out, credentialFields(presented))
	}
	if m.Names != nil {
		for i := range out {
			out[i].Name = m.Names(out[i].Name)
		}
	}
	return out
}

// credentialFields names the fields that carry credentials.
func credentialFields(presented []Presented) []string {
	var names []string
	for _, p := range presented {
		switch p.In {
		case "cookie":
			names = append(names, "Cookie")
		case "":
			names = append(names, p.Field)
		}
	}
	return names
}

// usualFields returns the fields of a message before its own changes.
func (e *Endpoint) usualFields(m *Message, inputs serialize.Encoded, presented []Presented, keys int, caseID, media string, length int, show bool) []exchange.Field {
	out := make([]exchange.Field, 0, 9+len(inputs.Header)+len(e.Headers)+len(m.Fields))
	out = append(out, exchange.Field{Name: "Host", Value: e.Target.Authority},
		exchange.Field{Name: "User-Agent", Value: e.UserAgent},
		exchange.Field{Name: "Accept", Value: m.Op.Wanted().Field})
	if e.NameCases && caseID != "" {
		out = append(out, exchange.Field{Name: CaseField, Value: caseID})
	}
	out = e.traced(out, m, inputs, caseID)
	hasBody := m.speaksOfBody()
	if hasBody {
		out = append(out, exchange.Field{Name: "Content-Type", Value: media})
	}
	out = append(out, e.credential(presented, keys, show)...)
	out = append(out, inputs.Header...)
	own := e.Headers
	if show {
		own = e.ShownHeaders
	}
	cookies := inputs.Cookie
	for _, f := range own {
		if len(cookies) > 0 && strings.EqualFold(f.Name, "Cookie") {
			cookies = append(slices.Clone(cookies), f.Value) // a request has one such field (RFC 6265, 5.4)
			continue
		}
		out = append(out, f)
	}
	if len(cookies) > 0 {
		out = append(out, exchange.Field{Name: "Cookie", Value: strings.Join(cookies, "; ")})
	}
	switch {
	case m.Framing == AsIs:
	case m.Framing.Chunky():
		out = append(out, exchange.Field{Name: "Transfer-Encoding", Value: "chunked"})
	case hasBody:
		out = append(out, exchange.Field{Name: "Content-Length", Value: strconv.Itoa(length)})
	}
	if m.Framing == Expect && length > 0 { // RFC 9110, 10.1.1: not without content
		out = append(out, exchange.Field{Name: "Expect", Value: "100-continue"})
	}
	return out
}

// speaksOfBody reports whether the head of a message has the fields of a body.
func (m *Message) speaksOfBody() bool {
	return m.Tree != nil || m.Raw != nil || m.Op.Body != nil && m.Op.Body.Required
}

// hasLength reports whether the head of a message says how long its body is.
func (m *Message) hasLength() bool { return m.speaksOfBody() && !m.drops("Content-Length") }

// WrongHeader returns a value of a header of the user that is no credential of the target: that of
// the user without what stands behind the scheme, or behind the names of cookies.
func (e *Endpoint) WrongHeader(name string) string {
	for _, f := range e.Headers {
		switch scheme, _, found := strings.Cut(f.Value, " "); {
		case !strings.EqualFold(f.Name, name):
		case strings.EqualFold(name, "Cookie"):
			var out []string
			for _, c := range strings.Split(f.Value, ";") {
				cookie, _, _ := strings.Cut(strings.TrimSpace(c), "=")
				out = append(out, cookie+"=wrong")
			}
			return strings.Join(out, "; ")
		case found:
			return scheme + " wrong"
		}
	}
	return "wrong"
}

// presented returns the credentials of a message.
func (e *Endpoint) presented(m *Message) []Presented {
	a := e.Auth(m.Op)
	switch {
	case a == nil:
		return nil
	case m.Credentials == nil:
		return a.Valid()
	}
	return m.Credentials
}

// credential returns the header fields with credentials.
func (e *Endpoint) credential(list []Presented, keys int, show bool) []exchange.Field {
	var out []exchange.Field
	for _, p := range list {
		switch {
		case p.In != "":
		case show:
			out = append(out, exchange.Field{Name: p.Field, Value: e.shows(p, keys)})
		default:
			out = append(out, exchange.Field{Name: p.Field, Value: p.Value(e.credentialAt(p.Scheme, keys))})
		}
	}
	return out
}

func mediaOf(op *openapi.Operation) string {
	if op == nil || op.Body == nil {
		return "application/json"
	}
	return op.Body.Media
}
