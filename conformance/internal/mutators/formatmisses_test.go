package mutators_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

const uuids = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/orders/{id}": {get: {parameters: [
  {name: id, in: path, required: true, schema: {type: string, format: uuid}},
  {name: customer, in: query, schema: {type: string, format: uuid}},
  {name: X-Request, in: header, schema: {type: string, format: uuid}}],
  responses: {"200": {description: d}, "400": {description: d}}}}}}`

// A pattern such as ^[0-9a-f-]{36}$ takes more than UUIDs, and refuses all that have another
// length or another letter.
func TestAUUIDParameterIsSentWithADigitInPlaceOfAHyphen(t *testing.T) {
	c, err := contract.Load("uuids.yaml", []byte(uuids))
	require.NoError(t, err)
	e, err := plan.EffortFor("gate", 100, 0)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, defaultDraws, e, catalogue()...)
	loosely := regexp.MustCompile(`^[0-9a-f-]{36}$`)
	broken := map[string]bool{}
	for _, one := range p.Cases {
		steps := p.Build(one, generate.Identity{Seed: 1})
		r := steps[len(steps)-1].Message.Reading()
		if r == nil || len(r.Violations) != 1 || r.Violations[0].Keyword != "format" {
			continue
		}
		place := r.Violations[0].Path
		if v := steps[len(steps)-1].Message.At(place); v != nil && loosely.MatchString(v.Text) {
			broken[place] = true
		}
	}
	assert.Len(t, broken, 3, "%v", broken)
}
