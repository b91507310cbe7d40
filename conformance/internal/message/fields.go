package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// Order is an order of the header fields. It has no meaning (RFC 9110, 5.3). Host
// is always first, which is good practice (RFC 9110, 7.2).
type Order uint8

// The orders.
const (
	UsualOrder      Order = iota // Content-Type, credential, Content-Length
	CredentialFirst              // the credential right after Host
	CredentialLast
	ContentTypeLast
	ReverseOrder
)

// String is the name of the order in case ids.
func (o Order) String() string {
	return [...]string{"usual", "credential-first", "credential-last", "content-type-last", "reversed"}[o]
}

// Orders returns the orders that change something for an operation, without the
// usual one.
func Orders(op *openapi.Operation) []Order {
	return slices.DeleteFunc([]Order{CredentialFirst, CredentialLast, ContentTypeLast, ReverseOrder}, func(o Order) bool {
		switch o {
		case CredentialFirst, CredentialLast:
			return !op.Carries("header", "") && !op.Carries("cookie", "")
		case ContentTypeLast:
			return op.Body == nil
		}
		return false
	})
}

// sort sorts the fields of a head, Host first. The names of the credential fields
// are given.
func (o Order) sort(list []exchange.Field, credential []string) {
	if len(list) == 0 {
		return
	}
	move := func(list []exchange.Field, names []string, weight int) {
		weigh := func(f exchange.Field) int {
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, f.Name) }) {
				return weight
			}
			return 0
		}
		slices.SortStableFunc(list, func(a, b exchange.Field) int { return weigh(a) - weigh(b) })
	}
	switch rest := list[1:]; o {
	case CredentialFirst:
		move(rest, credential, -1)
	case CredentialLast:
		move(rest, credential, 1)
	case ContentTypeLast:
		move(rest, []string{"Content-Type"}, 1)
	case ReverseOrder:
		slices.Reverse(rest)
	}
}

// TraceField is the header field with the trace context (W3C Trace Context, 3.2).
const TraceField = "Traceparent"

// The sizes of the ids of a trace context, in bytes. The second half of our parent ids is a
// checksum, which tells our field from one that a case is about.
const (
	traceBytes  = 16
	parentBytes = 8
)

// traced adds the trace context to the fields of a message, unless the user or a
// parameter of the document sets it.
func (e *Endpoint) traced(out []exchange.Field, m *Message, inputs serialize.Encoded, caseID string) []exchange.Field {
	has := func(f exchange.Field) bool { return strings.EqualFold(f.Name, TraceField) }
	if !e.Trace || caseID == "" || slices.ContainsFunc(inputs.Header, has) || slices.ContainsFunc(e.Headers, has) {
		return out
	}
	body, _, _ := m.encode()
	return append(out, exchange.Field{Name: TraceField, Value: traceParent(e.TraceSeed, caseID, m.Op.Method, inputs.Path, string(body))})
}

// traceParent is the trace context of a request: all requests of a case have one trace
// id, and each has its own parent id. Requests beside the cases, such as those of the
// pre-flight, have a trace each.
func traceParent(seed uint64, caseID string, request ...string) string {
	own := digest(seed, append([]string{caseID}, request...)...)
	trace := digest(seed, caseID)
	if !strings.Contains(caseID, "/") {
		trace = digest(seed, append(request, caseID)...)
	}
	parent := append(own[:parentBytes/2:parentBytes/2], checksum(trace[:traceBytes], own)...)
	return "00-" + hex.EncodeToString(trace[:traceBytes]) + "-" + hex.EncodeToString(parent) + "-01"
}

// digest is a hash of texts, each with its length in front.
func digest(seed uint64, texts ...string) []byte {
	b := binary.BigEndian.AppendUint64([]byte("trace"), seed)
	for _, t := range texts {
		b = binary.BigEndian.AppendUint64(b, uint64(len(t)))
		b = append(b, t...)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

func checksum(trace, own []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte("check"), trace, own[:parentBytes/2]))
	return sum[:parentBytes/2]
}

// ownTrace reports whether a value is a trace context that this suite made.
func ownTrace(value string) bool {
	parts := strings.Split(value, "-")
	if len(parts) != 4 {
		return false
	}
	trace, err := hex.DecodeString(parts[1])
	parent, err2 := hex.DecodeString(parts[2])
	return err == nil && err2 == nil && len(trace) == traceBytes && len(parent) == parentBytes &&
		bytes.Equal(parent[parentBytes/2:], checksum(trace, parent))
}

// TraceID returns the trace id in the head of a request that has a trace context of
// ours, and else an empty string.
func TraceID(head []byte) string {
	for line := range strings.SplitSeq(string(head), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); strings.EqualFold(name, TraceField) && ownTrace(value) {
			return strings.Split(value, "-")[1]
		}
	}
	return ""
}

func override(list []exchange.Field, f exchange.Field) []exchange.Field {
	for i := range list {
		if strings.EqualFold(list[i].Name, f.Name) {
			list[i] = f
			return list
		}
	}
	return append(list, f)
}

func drop(list []exchange.Field, name string) []exchange.Field {
	out := list[:0]
	for _, f := range list {
		if !strings.EqualFold(f.Name, name) {
			out = append(out, f)
		}
	}
	return out
}
