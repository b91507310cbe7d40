package message

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

// Body returns the bytes of the body before framing. They are nil for a body that
// its media type cannot hold; Wire tells why.
func (m *Message) Body() []byte {
	body, _, _ := m.encode()
	return body
}

// Media returns the content type of the body, with the boundary of its parts.
func (m *Message) Media() string {
	_, media, _ := m.encode()
	return media
}

// encode returns the bytes of the body and their media type.
func (m *Message) encode() (body []byte, media string, err error) {
	media = mediaOf(m.Op)
	switch {
	case m.Op != nil && m.Op.Body != nil && m.Op.Body.Form():
		b := m.Op.Body
		tree := m.Tree
		if tree == nil || m.Raw != nil {
			tree = jsontree.NewObject()
		}
		body, media, err = serialize.WriteFormBody(b.Media, b.Shape.Schema, b.Encoding, tree)
		switch {
		case m.Raw != nil:
			return m.Raw, media, nil
		case m.Tree == nil:
			return nil, media, nil
		}
		return body, media, err
	case m.Raw != nil:
		return m.Raw, media, nil
	case m.Tree == nil:
		return nil, media, nil
	}
	return m.Tree.EmitStyle(m.Style), media, nil
}

// inputs returns the parameters as they are on the wire.
func (m *Message) inputs() (serialize.Encoded, error) {
	if m.Params == nil {
		return serialize.Encoded{Path: m.Op.Path}, nil
	}
	out, err := serialize.WriteParameters(m.Op.Path, m.Op.Parameters, m.Params)
	if other := nearer(m.Op, out.Path); other != "" && err == nil {
		return serialize.Encoded{}, fmt.Errorf("path %s is that of %s: choose another value", out.Path, other)
	}
	return out, err
}

// nearer returns the path of the document that goes before that of an operation for a request to
// it, or nothing.
func nearer(op *openapi.Operation, path string) string {
	at := slices.IndexFunc(op.Nearer, func(other string) bool {
		return !serialize.ReadParameters(other, nil, serialize.Encoded{Path: path}).Mismatch
	})
	if at < 0 {
		return ""
	}
	return op.Nearer[at]
}

// pathOf returns the path with the query.
func pathOf(m *Message, inputs serialize.Encoded) string {
	query := joined(inputs.Query, m.Query)
	if query == "" {
		return inputs.Path
	}
	return inputs.Path + "?" + query
}

// addressOf returns the path with the query, from the root of the server.
func (e *Endpoint) addressOf(m *Message, inputs serialize.Encoded) string {
	if m.Address != "" {
		return m.Address
	}
	inputs.Path = m.PathSpelling.in(inputs.Path)
	return e.Target.Prefix + pathOf(m, inputs)
}

// Path returns the path of the request without a query, below that of the target. It is
// empty if the parameters cannot be written.
func (m *Message) Path() string {
	inputs, err := m.inputs()
	if err != nil {
		return ""
	}
	return inputs.Path
}

// Fits reports whether a path, below that of the target, is one of the operation.
func (m *Message) Fits(path string) bool {
	return !serialize.ReadParameters(m.Op.Path, m.Op.Parameters, serialize.Encoded{Path: path}).Mismatch && nearer(m.Op, path) == ""
}

// joined is one query after another.
func joined(a, b string) string {
	if a != "" && b != "" {
		a += "&"
	}
	return a + b
}

// Reading says what the body and the parameters of a message are, once written and
// read again. It is nil for an operation without either, and for values that cannot
// be written.
func (m *Message) Reading() *schema.Reading {
	body, media, badBody := m.encode()
	inputs, badInputs := m.inputs()
	if badBody != nil || badInputs != nil {
		return nil
	}
	_, inputs.Query, _ = strings.Cut(pathOf(m, inputs), "?")
	r, _ := readInputs(m, inputs, body, media)
	return r
}

// readInputs classifies the body and the parameters of a request. Other names the
// parts of the request that no parameter describes.
func readInputs(m *Message, inputs serialize.Encoded, body []byte, media string) (r *schema.Reading, other []string) {
	op := m.Op
	inBody, inParams := split(op, m.Bound)
	if op.Body != nil {
		r = readBody(op.Body, schema.Bindings{Bound: inBody, Unguessed: m.Unguessed}, body, media)
		switch {
		case op.Body.Required:
		case r.Empty:
			r.Kind = schema.MustAccept
		case r.Kind == schema.NotJSON && len(bytes.TrimSpace(body)) == 0:
			// Many frameworks take a blank body for none.
			r.Kind, r.Syntax, r.Reasons = schema.MayRefuse, nil, []schema.Reason{{What: "white space for no body"}}
		}
	}
	if op.Params == nil {
		return r, nil
	}
	p := serialize.ReadParameters(op.Path, op.Parameters, inputs)
	repeated := slices.ContainsFunc(p.Reasons, func(r schema.Reason) bool { return r.What == serialize.Twice && strings.HasPrefix(r.Path, "/query/") })
	if len(p.Unknown) > 0 || repeated || oddQuery(inputs.Query) {
		other = append(other, "query")
	}
	if p.Mismatch {
		other = append(other, "another path")
	}
	params := op.Params.ReadValue(p.Values, p.Reasons, schema.Bindings{Bound: inParams, Unguessed: m.Unguessed})
	if slices.ContainsFunc(p.Reasons, func(r schema.Reason) bool { return strings.HasPrefix(r.Path, "/path/") }) {
		other = append(other, OddPath)
	}
	op.Elsewhere(params, inParams)
	return r.Beside(params), other
}

// oddQuery reports whether a query has an empty part, or a percent sign that begins no
// escape: who splits and decodes it may refuse it.
func oddQuery(query string) bool {
	for _, part := range strings.Split(query, "&") {
		if part == "" && query != "" {
			return true
		}
		if _, err := url.QueryUnescape(part); err != nil {
			return true
		}
	}
	return false
}

// OddPath names a path that servers and what is before them read in several ways: an
// encoded slash, dots.
const OddPath = "an unusual path"

// split separates the bound values of the body from those of the parameters. Both
// are keyed by JSON pointers.
func split(op *openapi.Operation, bound map[string]*jsontree.Value) (body, params map[string]*jsontree.Value) {
	for _, path := range op.Bind {
		v := bound[path]
		if v == nil {
			v = jsontree.NewNull() // no value is known to name something
		}
		if strings.HasPrefix(path, "/") {
			if body == nil {
				body = map[string]*jsontree.Value{}
			}
			body[path] = v
			continue
		}
		if params == nil {
			params = map[string]*jsontree.Value{}
		}
		params["/"+path] = v
	}
	// The rest are keys that differ from that of the path (RFC 9110, 9.3.4), and values that the
	// target accepted before.
	for path, v := range bound {
		if (path == "" || strings.HasPrefix(path, "/")) && body[path] == nil {
			if body == nil {
				body = map[string]*jsontree.Value{}
			}
			body[path] = v
		}
	}
	if l := op.Listing; l != nil && l.Cursor != nil {
		if v := bound[l.Cursor.Place()]; v != nil {
			if params == nil {
				params = map[string]*jsontree.Value{}
			}
			params["/"+l.Cursor.Place()] = v
		}
	}
	return body, params
}

// readBody classifies the bytes of a body of the documented media type.
func readBody(b *openapi.Body, given schema.Bindings, body []byte, media string) *schema.Reading {
	if !b.Form() {
		return b.Shape.ReadBound(body, given)
	}
	got := serialize.ReadFormBody(b.Media, b.Shape.Schema, b.Encoding, media, body)
	if got.Malformed != nil {
		return &schema.Reading{Kind: schema.NotJSON, Syntax: got.Malformed, Empty: len(body) == 0}
	}
	r := b.Shape.ReadValue(got.Value, got.Reasons, given)
	if len(body) == 0 && b.Required {
		// Whether it is read as an empty text or as no body, it has to be refused.
		if strict := b.Shape.ReadValue(got.Value, nil, given); strict.Kind == schema.Invalid {
			r = strict
		}
	}
	r.Empty = len(body) == 0
	return r
}

// sentInputs returns the parameters in the final bytes of a request.
func (e *Endpoint) sentInputs(head []byte, fields []exchange.Field) serialize.Encoded {
	line, _, _ := bytes.Cut(head, []byte("\r\n"))
	_, target, _ := bytes.Cut(line, []byte(" "))
	target, _, _ = bytes.Cut(target, []byte(" "))
	path, query, _ := bytes.Cut(target, []byte("?"))
	out := serialize.Encoded{Path: strings.TrimPrefix(string(path), e.Target.Prefix), Query: string(query), Header: fields}
	for _, f := range fields {
		if lower(f.Name) == "cookie" {
			for _, pair := range strings.Split(f.Value, ";") {
				out.Cookie = append(out.Cookie, strings.Trim(pair, " \t"))
			}
		}
	}
	return out
}

// Keyed reports whether keys that the target gave are the only reasons to refuse a reading:
// they name things that may no longer exist.
func (m *Message) Keyed(r *schema.Reading) bool {
	other := func(why schema.Reason) bool { return m.Bound[why.Path] == nil }
	return r != nil && r.Kind == schema.MayRefuse && !slices.ContainsFunc(r.Reasons, other)
}

// Rest is where in a request its sender pauses for long.
type Rest uint8

// The places.
const (
	RestNever     Rest = iota
	RestInName         // inside the name of a field
	RestInLineEnd      // between CR and LF
	RestInHeadEnd      // before the last LF of the head
	RestInEscape       // inside an escape of the body, or a character of several bytes
	RestInChunk        // inside the line with the size of a chunk, and before the last one
	RestTwice          // in the middle of the body, and before its last byte
	RestLong           // the same, for longer
)

// String is the name of the place in case ids.
func (p Rest) String() string {
	return [...]string{"never", "field-name", "line-end", "head-end", "escape", "chunk-line", "body", "body-long"}[p]
}

// cuts returns where the bytes are cut, as exchange.Request counts.
func (p Rest) cuts(head, body []byte) []int {
	line := bytes.IndexByte(head, '\n') + 1
	switch p {
	case RestInName:
		return []int{line + 2 - len(head)}
	case RestInLineEnd:
		return []int{line - 1 - len(head)}
	case RestInHeadEnd:
		return []int{-1}
	case RestInEscape:
		if i := bytes.Index(body, []byte(`\u`)); i >= 0 {
			return []int{i + 3}
		}
		return []int{insideCharacter(body)}
	case RestInChunk:
		return ascending(len(body), 1, 2, len(body)-len("0\r\n\r\n"))
	}
	return ascending(len(body), len(body)/2, len(body)-1)
}

// ascending returns the places inside a body, each once.
func ascending(length int, at ...int) []int {
	var out []int
	for _, n := range at {
		if n > 0 && n < length && (len(out) == 0 || n > out[len(out)-1]) {
			out = append(out, n)
		}
	}
	return out
}
