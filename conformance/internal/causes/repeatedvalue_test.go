package causes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
)

func TestARepeatedValueThatIsRefusedWrongNamesItsMember(t *testing.T) {
	refuses := func(also bool) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			used := map[string]bool{}
			return func(call fake.Call) *exchange.Exchange {
				if !valid(doc, call) {
					if e := doc.Conforming(call.Request); e.Response.Status != 400 || !also {
						return e
					}
					return fake.Answer(409, "application/json", `{"error":409,"message":"taken"}`)
				}
				p, err := jsontree.Parse(call.Body)
				if err != nil {
					return doc.Conforming(call.Request)
				}
				id := p.Root.Get("id").Text
				if used[id] {
					return fake.Answer(409, "application/json", `{"error":409,"message":"taken"}`)
				}
				used[id] = true
				return doc.Conforming(call.Request)
			}
		}
	}
	f := caused(t, "post-plants-400-status", refuses(false), "baseline", "wrong-types", "unusual-numbers", "repeats")
	assert.Equal(t, "fails with the /id of a request that was accepted before, and not with a new one", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
	id := func(i int) string { return f.Failure.Steps[i].Sent.Body.Root().Get("id").Text }
	assert.Equal(t, id(0), id(1))

	f = caused(t, "post-plants-400-status", refuses(true), "baseline", "wrong-types", "unusual-numbers", "repeats")
	assert.NotContains(t, sentence(f), "/id", "invalid requests fail, too")
}
