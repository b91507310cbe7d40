package message

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// Sizes above which a refusal may come from below the application. RFC 9110 sets no
// limits (5.4, 15.5.14), so these are the limits of common servers.
const (
	transportSize = 8 << 10
	// ownRoom is what the suite adds to a head that the user has made large. A
	// target that accepts that head accepts this too.
	ownRoom = 1 << 10
	// longField is the size of a field with a wrong credential.
	longField = 1 << 10
	// longAgent is the size of a User-Agent that servers may refuse.
	longAgent = 200
)

// LargeBody names a body above 8 KiB, which servers may refuse.
const LargeBody = "large body"

// Classify reads the final bytes of a request and says what they are, independently
// of the code that made them. The body is what the framing carries.
func (e *Endpoint) Classify(m *Message, r *exchange.Request) *Sent {
	body := r.Body
	switch {
	case m.Framing.Chunky():
		body = m.Body()
	case m.Framing == AsIs:
		c := carried(r.Head, r.Body)
		s := e.classify(m, r, c.body)
		s.Transport = append(s.Transport, "framing")
		s.AnyError = s.AnyError || c.closes
		if !c.known {
			s.Body = nil // nobody knows which bytes the server takes for it
		}
		return s
	}
	s := e.classify(m, r, body)
	if m.Ends {
		s.Transport = append(s.Transport, "ended")
	}
	if m.Address != "" { // nobody knows which operation it is that answers
		s.AnyError, s.Negotiated = true, true
	}
	return s
}

func (e *Endpoint) classify(m *Message, r *exchange.Request, body []byte) *Sent {
	op := m.Op
	s := &Sent{Cut: len(r.Cuts) > 0}
	fields, ok := headFields(r.Head)
	if !ok {
		s.Transport = append(s.Transport, "malformed head")
	}
	if v := versionOf(r.Head); v != exchange.UsualVersion {
		s.Transport = append(s.Transport, v)
	}
	inputs := e.sentInputs(r.Head, fields)
	if plain := usualPath(op.Path, inputs.Path); plain != inputs.Path {
		inputs.Path, s.PathRespelled = plain, true
		s.Transport = append(s.Transport, OddPath)
	}
	carried := carriedIn(op, fields, &inputs)
	if op.Params == nil && inputs.Query != "" {
		s.Transport = append(s.Transport, "query")
	}
	if op.Params == nil && op.Carries("cookie", "") && len(inputs.Cookie) > 0 {
		s.Transport = append(s.Transport, "cookie")
	}
	if op.Params != nil || op.Body != nil {
		var other []string
		s.Body, other = readInputs(m, inputs, body, typeOf(op, fields, body))
		s.Transport = append(s.Transport, other...)
	}
	s.Transport = append(s.Transport, e.transport(op, fields, len(r.Head), body)...)
	if len(body) == 0 && op.Body != nil && op.Body.Required && !slices.ContainsFunc(fields, func(f exchange.Field) bool { return isFraming(f.Name) }) {
		s.Transport = append(s.Transport, "no length") // which a server may demand (RFC 9110, 15.5.12)
	}
	if len(body) == 0 && op.Body != nil && !op.Body.Required && slices.ContainsFunc(fields, func(f exchange.Field) bool { return isFraming(f.Name) || lower(f.Name) == "content-type" }) {
		s.Transport = append(s.Transport, "fields of a body") // there is none
	}
	s.Understood = understood(s.Transport, fields)
	s.OtherMedia = len(s.Transport) == 1 && otherMedia(op, s.Transport[0])
	s.Ignorable = op.Body != nil && !op.Body.Required && !slices.ContainsFunc(fields, func(f exchange.Field) bool {
		return lower(f.Name) == "content-type" && op.Documents(f.Value)
	})
	s.AnyError = slices.ContainsFunc(fields, func(f exchange.Field) bool {
		return lower(f.Name) == "content-encoding" && f.Value != "" && lower(f.Value) != "identity"
	})
	s.Negotiated = slices.ContainsFunc(fields, func(f exchange.Field) bool { return negotiates(op, f) })
	s.Stored = slices.ContainsFunc(fields, func(f exchange.Field) bool {
		return lower(f.Name) == "cache-control" && strings.Contains(lower(f.Value), "only-if-cached")
	})
	if a := e.Auth(op); a != nil {
		c := a.classify(carried, e.keysAt(r.Keys))
		s.Credential, s.Faults, s.Alternative, s.CredentialTransport = c.Credential, c.Faults, c.Alternative, c.Below
	}
	return s
}

// transport lists the differences from a baseline head, except for credentials.
func (e *Endpoint) transport(op *openapi.Operation, fields []exchange.Field, head int, body []byte) []string {
	var out []string
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		name := lower(f.Name)
		switch {
		case seen[name] && name != "authorization" && !e.isOwn(f):
			out = append(out, "field "+name+" twice")
		case !e.isBaseline(op, name, f):
			out = append(out, "field "+name)
		case f.Value != e.baselineValue(op, name, f.Value, body):
			out = append(out, name+": "+f.Value)
		}
		seen[name] = true
	}
	out = append(out, absent(op, seen, len(body))...)
	if head > transportSize && head-e.given(op, fields) > ownRoom {
		out = append(out, "large head")
	}
	if len(body) > transportSize {
		out = append(out, LargeBody)
	}
	return out
}

// isBaseline reports whether the suite sends such a field of its own accord, or
// because the user asked for it.
func (e *Endpoint) isBaseline(op *openapi.Operation, name string, f exchange.Field) bool {
	switch name {
	case "host", "accept", "content-type", "user-agent", "content-length":
		return true
	}
	return e.isCredential(op, name) || isParameter(op, name) || e.isOwn(f) || e.NameCases && name == lower(CaseField) || e.Trace && name == lower(TraceField) && ownTrace(f.Value)
}

// baselineValue is the value of a field in a baseline head if that is fixed, and
// otherwise the value that the field has.
func (e *Endpoint) baselineValue(op *openapi.Operation, name, value string, body []byte) string {
	switch {
	case name == "host":
		return e.Target.Authority
	case name == "user-agent" && len(value) > longAgent && !e.isOwn(exchange.Field{Name: name, Value: value}):
		return e.UserAgent
	case name == "accept" && !TakesUsual(op, value):
		return op.Wanted().Field
	case name == "content-type" && op.Body != nil && op.Body.Form() && serialize.Usual(op.Body.Media, value, body):
		return value
	case name == "content-type" && op.Body != nil && op.Body.Form():
		return serialize.ContentType(op.Body.Media, body)
	case name == "content-type":
		return mediaOf(op)
	}
	return value
}

// absent lists the fields of a baseline head that are not there.
func absent(op *openapi.Operation, seen map[string]bool, body int) []string {
	var out []string
	if !seen["host"] {
		out = append(out, "no host")
	}
	if !seen["content-type"] && op.Body != nil && (body > 0 || op.Body.Required) {
		out = append(out, "no content-type")
	}
	if !seen["user-agent"] {
		out = append(out, "no user-agent")
	}
	if op.Body != nil && (body > 0 || op.Body.Required) && !seen["content-length"] && !seen["transfer-encoding"] {
		out = append(out, "no length")
	}
	return out
}

// given counts the bytes of a head that the user put into every request: the
// --header fields, and a credential up to the length of the token.
func (e *Endpoint) given(op *openapi.Operation, fields []exchange.Field) int {
	n := 0
	for _, f := range fields {
		switch {
		case e.isOwn(f):
			n += len(f.Name) + len(f.Value)
		case e.isCredential(op, lower(f.Name)):
			n += min(len(f.Value), e.longest(op))
		}
	}
	return n
}

// lower is strings.ToLower, fast for the names that nearly every request has.
func lower(name string) string {
	switch name {
	case "Host":
		return "host"
	case "User-Agent":
		return "user-agent"
	case "Accept":
		return "accept"
	case "Content-Type":
		return "content-type"
	case "Authorization":
		return "authorization"
	case "Content-Length":
		return "content-length"
	}
	return strings.ToLower(name)
}

func (e *Endpoint) isCredential(op *openapi.Operation, name string) bool {
	return op.Carries("header", name) || name == "cookie" && op.Carries("cookie", "")
}

// isParameter reports whether the document describes a field of this name.
func isParameter(op *openapi.Operation, name string) bool {
	return slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && strings.EqualFold(p.Name, name) || p.In == "cookie" && name == "cookie"
	})
}

func (e *Endpoint) isOwn(f exchange.Field) bool {
	for _, h := range e.Headers {
		if strings.EqualFold(h.Name, f.Name) && h.Value == f.Value {
			return true
		}
	}
	return false
}

// versionOf reads the version in the request line of a head that we built.
func versionOf(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte("\r\n"))
	return string(line[bytes.LastIndexByte(line, ' ')+1:])
}

// headFields reads the fields of a request head that we built.
func headFields(head []byte) ([]exchange.Field, bool) {
	_, rest, ok := strings.Cut(string(head), "\r\n")
	out := make([]exchange.Field, 0, strings.Count(rest, "\n"))
	for ok && len(rest) > 0 {
		var line string
		line, rest, ok = strings.Cut(rest, "\r\n")
		if line == "" {
			return out, ok && rest == ""
		}
		name, value, colon := strings.Cut(line, ":")
		if !colon {
			return out, false
		}
		out = append(out, exchange.Field{Name: name, Value: strings.Trim(value, " \t")})
	}
	return out, false
}

// Values returns the scalar members of a request body that carry identity: the
// top-level numbers and strings that are not an enum or const.
func Values(op *openapi.Operation, tree *jsontree.Value) []jsontree.Member {
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

// Nested returns the texts inside members that the schema does not name, as far as they have
// the name of a member that it names.
func Nested(op *openapi.Operation, tree *jsontree.Value) []jsontree.Member {
	if op.Body == nil || tree == nil || tree.Kind != jsontree.Object {
		return nil
	}
	var out []jsontree.Member
	for _, m := range tree.Members {
		if op.Body.Shape.Schema.Property(m.Name) != nil {
			continue
		}
		m.Value.Walk(func(_ string, v *jsontree.Value) {
			for _, inside := range Values(op, v) {
				if inside.Value.Kind == jsontree.String {
					out = append(out, inside)
				}
			}
		})
	}
	return out
}

// At returns the place of a member, of a body or of the query.
func At(name string, query bool) string {
	if query {
		return "query/" + jsontree.EscapePointer(name)
	}
	return "/" + jsontree.EscapePointer(name)
}

// ClassifyBytes reads the bytes of a request whose body, before framing, is
// given.
func (e *Endpoint) ClassifyBytes(op *openapi.Operation, r *exchange.Request, body []byte) *Sent {
	return e.classify(&Message{Op: op}, r, body)
}

// typeOf returns the media type of a form with its parameters, as the request has
// it. A request of another type is read as the documented one: whether it is taken is
// the server's to say.
func typeOf(op *openapi.Operation, fields []exchange.Field, body []byte) string {
	if op.Body == nil || !op.Body.Form() {
		return mediaOf(op)
	}
	for _, f := range fields {
		if lower(f.Name) == "content-type" && serialize.MatchesMedia(op.Body.Media, f.Value) {
			return f.Value
		}
	}
	return serialize.ContentType(op.Body.Media, body)
}

// otherMedia reports whether a difference from the baseline head is the content type,
// and that a media type which the document does not list, where it describes 415.
func otherMedia(op *openapi.Operation, difference string) bool {
	media, found := strings.CutPrefix(difference, "content-type: ")
	kind, subtype, slash := strings.Cut(media, "/")
	return found && slash && exchange.IsToken(kind) && exchange.IsToken(subtype) && !strings.Contains(media, "*") && op.Describes415() && !op.Documents(media)
}
