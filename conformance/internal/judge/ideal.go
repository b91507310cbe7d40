package judge

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// ideals returns the answers that a faultless server may give to a request. They
// show which requirements the request can test.
func (j *Judge) ideals(op *openapi.Operation, sent *message.Sent) []*exchange.Exchange {
	switch sent.Expectation() {
	case message.Accept:
		return j.successes(op, sent)
	case message.Refuse, message.RefuseAnyhow:
		return j.refusals(op)
	case message.RefuseCredential:
		return j.forms(op, op.Response(401), 401, nil)
	}
	return append(j.successes(op, sent), j.refusals(op)...)
}

// successes returns every documented success.
func (j *Judge) successes(op *openapi.Operation, sent *message.Sent) []*exchange.Exchange {
	list := op.Successes()
	if len(list) == 0 {
		return j.forms(op, op.Response(200), 200, sent.Body)
	}
	return j.each(op, list, sent.Body)
}

// refusals returns every documented refusal of bad input or, if there is none, the
// first documented one.
func (j *Judge) refusals(op *openapi.Operation) []*exchange.Exchange {
	list := op.Documented(4)
	bad := slices.DeleteFunc(slices.Clone(list), func(r *openapi.Response) bool { return !r.BadInput() })
	switch {
	case len(bad) > 0:
		return j.each(op, bad, nil)
	case len(list) > 0:
		return j.each(op, list[:1], nil)
	}
	return j.forms(op, op.Response(400), 400, nil)
}

// mostForms bounds the answers that are made for one request.
const mostForms = 8

func (j *Judge) each(op *openapi.Operation, list []*openapi.Response, sent *openapi.Reading) []*exchange.Exchange {
	var out []*exchange.Exchange
	for _, r := range list {
		status, err := strconv.Atoi(r.Status)
		if err != nil {
			status = int(r.Status[0]-'0') * 100
		}
		out = append(out, j.forms(op, r, status, sent)...)
	}
	return out[:min(len(out), mostForms)]
}

// forms returns a documented answer in each of its media types. What the request
// sent comes back in it.
func (j *Judge) forms(op *openapi.Operation, doc *openapi.Response, status int, sent *openapi.Reading) []*exchange.Exchange {
	if doc == nil {
		return []*exchange.Exchange{answer(status, "", nil)}
	}
	g := j.Plan.Preflight(op, generate.Identity{}, 1)
	var fields []exchange.Field
	for _, h := range doc.Headers {
		if h.Shape != nil {
			fields = append(fields, exchange.Field{Name: h.Name, Value: h.Write(g.BaselineValue(h.Shape.Schema))})
		} else {
			fields = append(fields, exchange.Field{Name: h.Name})
		}
	}
	if len(doc.Media) == 0 {
		return []*exchange.Exchange{answer(status, "", nil, fields...)}
	}
	var out []*exchange.Exchange
	for _, m := range doc.Media {
		if m.XML() {
			out = append(out, answer(status, m.Type, []byte("<a/>"), fields...))
			continue
		}
		if m.Shape == nil {
			out = append(out, answer(status, concrete(m.Type), nil, fields...))
			continue
		}
		tree := g.BaselineValue(m.Shape.Schema)
		if sent.Root() != nil && tree.Kind == jsontree.Object {
			for _, p := range m.Shape.Schema.Properties {
				if v := sent.Root().Get(p.Name); v != nil {
					tree.Set(p.Name, v)
				}
			}
		}
		if m.JSON() {
			media := m.Type
			if m.Range() {
				media = "application/json"
			}
			out = append(out, answer(status, media, tree.Emit(), fields...))
			continue
		}
		body, media, err := serialize.WriteFormBody(m.Type, m.Shape.Schema, m.Encoding, tree)
		if err == nil {
			out = append(out, answer(status, media, body, fields...))
		}
	}
	return out
}

// concrete returns a media type in the range of a documented one.
func concrete(media string) string { return strings.ReplaceAll(media, "*", "x") }

func answer(status int, media string, body []byte, fields ...exchange.Field) *exchange.Exchange {
	r := &exchange.Response{Proto: "HTTP/1.1", Status: status, Body: body, Content: body,
		Fields: append([]exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}}, fields...)}
	if media != "" {
		r.Fields = append(r.Fields, exchange.Field{Name: "Content-Type", Value: media})
	}
	return &exchange.Exchange{Response: r}
}
