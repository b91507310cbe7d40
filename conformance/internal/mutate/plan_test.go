package mutate_test

import (
	"iter"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/sample"
	"plantstore/spec"
)

const (
	defaultDraws = 100
	token        = "user7Zq:T0ken-4bQ9xW.m"
)

// document is a contract that the whole catalogue is tried on.
type document struct {
	name     string
	contract *openapi.Contract
}

func documents(t testing.TB) []document {
	t.Helper()
	plants, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	_, err = requirement.Overlay(requirement.Derive(plants), plants, "requirements.yaml", spec.Requirements, checks.Names())
	require.NoError(t, err)
	out := []document{{"plants", plants}}
	for _, name := range sample.Of([]string{"orders", "keywords", "numbers", "conditions", "forms", "answers"}, 6) {
		b, err := os.ReadFile("testdata/" + name + ".yaml")
		require.NoError(t, err)
		c, err := openapi.Load(name+".yaml", b)
		require.NoError(t, err)
		out = append(out, document{name, c})
	}
	return out
}

func catalogue() []plan.Mutator { return append(mutate.List(), mutate.Sequences()...) }

func planOf(t testing.TB, d document, seed uint64) *plan.Plan {
	t.Helper()
	return fake.Plan(t, d.contract, seed, defaultDraws, plan.Effort{}, catalogue()...)
}

// lastOf gives each case of the plan of a document at an effort, which may depend on the number
// of operations, with the last message that the case sends.
func lastOf(t *testing.T, document, effort string, operations int) iter.Seq2[*plan.Case, *message.Message] {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	e, err := plan.EffortFor(effort, operations, 0)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, defaultDraws, e, catalogue()...)
	return func(yield func(*plan.Case, *message.Message) bool) {
		for _, one := range p.Cases {
			steps := p.Build(one, generate.Identity{Seed: 1})
			if !yield(one, steps[len(steps)-1].Message) {
				return
			}
		}
	}
}

func endpoint(p *plan.Plan) *message.Endpoint {
	e := fake.Endpoint(p)
	e.Token = token
	return e
}

// useful reports whether the attempt of a credential class makes sense for the
// token of these tests.
func useful(p *plan.Plan, c *plan.Case) bool {
	if c.Class.Family != plan.FamilyCredential {
		return true
	}
	for _, a := range p.Space(c.Op).Auth.Attempts() {
		if a.Slug() == c.Class.Place.Name {
			return a.Useful == nil || a.Useful(token)
		}
	}
	return false
}

// holds reports whether the bytes bear a expected out.
func holds(expected plan.ExpectedClass, s *message.Sent) bool {
	d := s.Expectation()
	switch expected {
	case plan.ExpectMustAccept:
		return d == message.Accept
	case plan.ExpectInvalid:
		return s.Body != nil && s.Body.Kind == openapi.Invalid && (d == message.Refuse || len(s.Transport) > 0)
	case plan.ExpectNotJSON:
		return s.Body != nil && s.Body.Kind == openapi.NotJSON
	case plan.ExpectMayRefuse:
		return d == message.Either || d == message.Anything
	case plan.ExpectRefusedCredential:
		return d == message.RefuseCredential
	}
	return true
}
