package verdict

import (
	"strconv"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
)

// ideals returns the answers that a faultless server may give to a request. They
// show which requirements the request can test.
func (j *Judge) ideals(op *contract.Operation, sent *request.Sent) []*exchange.Exchange {
	success := func() *exchange.Exchange { return j.ideal(op, 2, sent) }
	refusal := func() *exchange.Exchange { return j.ideal(op, 4, sent) }
	switch sent.Expectation() {
	case request.Accept:
		return []*exchange.Exchange{success()}
	case request.Refuse, request.RefuseAnyhow:
		return []*exchange.Exchange{refusal()}
	case request.RefuseCredential:
		return []*exchange.Exchange{answer(401, "", nil)}
	}
	return []*exchange.Exchange{success(), refusal()}
}

// ideal returns the documented answer of one class, such as 2 for 2xx.
func (j *Judge) ideal(op *contract.Operation, class byte, sent *request.Sent) *exchange.Exchange {
	status := int(class) * 100
	doc := op.Response(status)
	if list := op.Documented(class); len(list) > 0 {
		doc = list[0]
		if n, err := strconv.Atoi(doc.Status); err == nil {
			status = n
		}
	}
	if doc == nil || len(doc.Media) == 0 || doc.Media[0].Shape == nil {
		return answer(status, "", nil)
	}
	g := j.Plan.Preflight(op, generate.Identity{}, 1)
	tree := g.BaselineValue(doc.Media[0].Shape.Schema)
	if class == 2 && sent.Body != nil && sent.Body.Root() != nil && tree.Kind == jsontree.Object {
		for _, p := range doc.Media[0].Shape.Schema.Properties {
			if v := sent.Body.Root().Get(p.Name); v != nil {
				tree.Set(p.Name, v)
			}
		}
	}
	return answer(status, doc.Media[0].Type, tree.Emit())
}

func answer(status int, media string, body []byte) *exchange.Exchange {
	r := &exchange.Response{Proto: "HTTP/1.1", Status: status, Body: body, Content: body,
		Fields: []exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}}}
	if media != "" {
		r.Fields = append(r.Fields, exchange.Field{Name: "Content-Type", Value: media})
	}
	return &exchange.Exchange{Response: r}
}
