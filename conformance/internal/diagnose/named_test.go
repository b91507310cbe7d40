package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/report"
)

// orders is a document whose body may name a client and a shop, which nothing makes.
const orders = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/orders: {
  post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [note], properties: {note: {type: string}, clientId: {type: string}, shop: {type: object, properties: {id: {type: integer}}}}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestAnOptionalKeyOfWhatNothingMakesIsNotJudgedAndStopsNoVerdict(t *testing.T) {
	d := fake.Of(t, orders, fakerun.Mutators(t, "baseline", "optional-members", "wrong-types")...)
	got := finish(t, fakerun.Of(t, d, func(r *exchange.Request) *exchange.Exchange {
		if read := d.Contract.Operations[0].Body.Shape.Read(r.Body); len(read.Violations) > 0 || read.Root() == nil {
			return fake.Answer(400, "", "")
		}
		return fake.Answer(201, "", "")
	}))
	assert.Empty(t, got.failed())
	for _, id := range []string{"post-orders-body-clientid-accepted", "post-orders-body-shop-id-accepted"} {
		assert.Equal(t, report.Inapplicable, got.results[id].Verdict, id)
		assert.Equal(t, "each value names something that may not exist: name one that does with --value", got.results[id].Reason, id)
	}
}
