package request

import (
	"bytes"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/parameter"
)

// Body returns the bytes of the body before framing. They are nil for a body that
// its media type cannot hold; Wire tells why.
func (m *Message) Body() []byte {
	body, _, _ := m.encode()
	return body
}

// encode returns the bytes of the body and their media type.
func (m *Message) encode() (body []byte, media string, err error) {
	media = mediaOf(m.Op)
	switch {
	case m.Raw != nil:
		return m.Raw, media, nil
	case m.Tree == nil:
		return nil, media, nil
	}
	return m.Tree.EmitStyle(m.Style), media, nil
}

// inputs returns the parameters as they are on the wire.
func (m *Message) inputs() (parameter.Encoded, error) {
	if m.Params == nil {
		return parameter.Encoded{Path: m.Op.Path}, nil
	}
	return parameter.Write(m.Op.Path, m.Op.Parameters, m.Params)
}

// pathOf returns the path with the query.
func pathOf(m *Message, inputs parameter.Encoded) string {
	query := joined(inputs.Query, m.Query)
	if query == "" {
		return inputs.Path
	}
	return inputs.Path + "?" + query
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
func (m *Message) Reading() *contract.Reading {
	body, media, badBody := m.encode()
	inputs, badInputs := m.inputs()
	if badBody != nil || badInputs != nil {
		return nil
	}
	_, inputs.Query, _ = strings.Cut(pathOf(m, inputs), "?")
	r, _ := readInputs(m.Op, m.Bound, inputs, body, media)
	return r
}

// readInputs classifies the body and the parameters of a request. Other names the
// parts of the request that no parameter describes.
func readInputs(op *contract.Operation, bound map[string]*jsontree.Value, inputs parameter.Encoded, body []byte, media string) (r *contract.Reading, other []string) {
	inBody, inParams := split(bound)
	if op.Body != nil {
		r = readBody(op.Body, inBody, body)
		if r.Empty && !op.Body.Required {
			r.Kind = contract.MustAccept
		}
	}
	if op.Params == nil {
		return r, nil
	}
	p := parameter.Read(op.Path, op.Parameters, inputs)
	if len(p.Unknown) > 0 {
		other = append(other, "query")
	}
	if p.Mismatch {
		other = append(other, "another path")
	}
	if p.Ambiguous {
		p.Reasons = append(p.Reasons, contract.Reason{What: "parameters that servers may read otherwise"})
	}
	return r.Beside(op.Params.ReadValue(p.Values, p.Reasons, inParams)), other
}

// split separates the bound values of the body from those of the parameters. Both
// are keyed by JSON pointers.
func split(bound map[string]*jsontree.Value) (body, params map[string]*jsontree.Value) {
	for path, v := range bound {
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
	return body, params
}

// readBody classifies the bytes of a body of the documented media type.
func readBody(b *contract.Body, bound map[string]*jsontree.Value, body []byte) *contract.Reading {
	return b.Shape.ReadWith(body, bound)
}

// sentInputs returns the parameters in the final bytes of a request.
func (e *Endpoint) sentInputs(head []byte, fields []exchange.Field) parameter.Encoded {
	line, _, _ := bytes.Cut(head, []byte("\r\n"))
	_, target, _ := bytes.Cut(line, []byte(" "))
	target, _, _ = bytes.Cut(target, []byte(" "))
	path, query, _ := bytes.Cut(target, []byte("?"))
	out := parameter.Encoded{Path: strings.TrimPrefix(string(path), e.Target.Prefix), Query: string(query), Header: fields}
	for _, f := range fields {
		if lower(f.Name) == "cookie" {
			for _, pair := range strings.Split(f.Value, ";") {
				out.Cookie = append(out.Cookie, strings.Trim(pair, " \t"))
			}
		}
	}
	return out
}
