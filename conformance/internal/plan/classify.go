package plan

import (
	"bytes"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
)

// Sizes above which a refusal may come from below the application (design,
// section 6).
const (
	transportSize = 8 << 10
)

// Classify reads the final bytes of a request: what they are, whoever made
// them. The body is what the framing carries.
func (e *Endpoint) Classify(m *Message, r *exchange.Request) *requirement.Sent {
	return e.classify(m.Op, r, m.Body())
}

func (e *Endpoint) classify(op *contract.Operation, r *exchange.Request, body []byte) *requirement.Sent {
	s := &requirement.Sent{}
	fields, ok := headFields(r.Head)
	if !ok {
		s.Transport = append(s.Transport, "malformed head")
	}
	if op.Body != nil {
		s.Body = op.Body.Shape.Read(body)
		if s.Body.Empty && !op.Body.Required {
			s.Body.Kind = contract.Plain
		}
	}
	s.Transport = append(s.Transport, e.transport(op, fields, len(r.Head), len(body))...)
	if sc := e.Scheme(op); sc != nil && !op.SchemeOptional {
		s.Credential, s.CredentialTransport = sc.Classify(op.Scheme, fields, e.Token)
	}
	return s
}

// transport lists what differs from a mild head, credentials aside.
func (e *Endpoint) transport(op *contract.Operation, fields []exchange.Field, head, body int) []string {
	var out []string
	want := map[string]string{"host": e.Target.Authority, "accept": "application/json", "content-type": mediaOf(op)}
	seen := map[string]bool{}
	for _, f := range fields {
		name := strings.ToLower(f.Name)
		mild, known := want[name]
		switch {
		case seen[name] && name != "authorization":
			out = append(out, "field "+name+" twice")
		case known && f.Value != mild:
			out = append(out, name+": "+f.Value)
		case known, name == "user-agent", name == "content-length", e.isCredential(op, name), e.isOwn(f):
		default:
			out = append(out, "field "+name)
		}
		seen[name] = true
	}
	if !seen["host"] {
		out = append(out, "no host")
	}
	for _, name := range []string{"accept", "content-type", "user-agent"} {
		if !seen[name] && (name != "content-type" || op.Body != nil && (body > 0 || op.Body.Required)) {
			out = append(out, "no "+name)
		}
	}
	if !seen["content-length"] && !seen["transfer-encoding"] && op.Body != nil {
		out = append(out, "no length")
	}
	if head > transportSize {
		out = append(out, "large head")
	}
	if body > transportSize {
		out = append(out, "large body")
	}
	return out
}

func (e *Endpoint) isCredential(op *contract.Operation, name string) bool {
	if op.Scheme == nil {
		return false
	}
	return name == "authorization" && op.Scheme.Header == "" || strings.EqualFold(name, op.Scheme.Header)
}

func (e *Endpoint) isOwn(f exchange.Field) bool {
	for _, h := range e.Headers {
		if strings.EqualFold(h.Name, f.Name) && h.Value == f.Value {
			return true
		}
	}
	return false
}

// headFields reads the fields of a request head that we built.
func headFields(head []byte) ([]exchange.Field, bool) {
	_, rest, ok := bytes.Cut(head, []byte("\r\n"))
	var out []exchange.Field
	for ok && len(rest) > 0 {
		var line []byte
		line, rest, ok = bytes.Cut(rest, []byte("\r\n"))
		if len(line) == 0 {
			return out, ok && len(rest) == 0
		}
		name, value, colon := bytes.Cut(line, []byte(":"))
		if !colon {
			return out, false
		}
		out = append(out, exchange.Field{Name: string(name), Value: string(bytes.Trim(value, " \t"))})
	}
	return out, false
}

// Values lists the scalar members of a request body that carry identity: the
// top-level numbers and strings that are not an enum or const.
func Values(op *contract.Operation, tree *jsontree.Value) []jsontree.Member {
	var out []jsontree.Member
	if op.Body == nil || tree == nil || tree.Kind != jsontree.Object {
		return nil
	}
	for _, m := range tree.Members {
		p := op.Body.Shape.Schema.Property(m.Name)
		if p == nil || p.Schema.Enum != nil || p.Schema.Const != nil {
			continue
		}
		if m.Value.Kind == jsontree.String || m.Value.Kind == jsontree.Number {
			out = append(out, m)
		}
	}
	return out
}

// ClassifyBytes reads the bytes of a request whose body, before framing, is
// given.
func (e *Endpoint) ClassifyBytes(op *contract.Operation, r *exchange.Request, body []byte) *requirement.Sent {
	return e.classify(op, r, body)
}
