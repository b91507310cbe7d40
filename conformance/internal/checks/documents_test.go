package checks_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// documents are those that every case is looked at in. Together they have one of each entry.
func documents() []string {
	return []string{"crud", "albums", "cards", "minutes", "articles", "lockers", "accounts", "notes", "stamps", "guides", "workshop", "drawers", "shelves", "payments", "ballots", "chores"}
}

// load reads a document as a run does whose user gave a second credential.
func load(t *testing.T, name string) *openapi.Contract {
	t.Helper()
	path := "../otherservers/testdata/" + name + ".yaml"
	if name == "crud" {
		path = "../../../testdata/crud/openapi.yaml"
	}
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	c, err := openapi.Load(name, b)
	require.NoError(t, err)
	c.ChooseOther(func(*openapi.Scheme) bool { return true })
	return analysed(c)
}

// analysed finds the lists of a document, and the ways to what its requests need.
func analysed(c *openapi.Contract) *openapi.Contract {
	resource.FindPaging(c)
	resource.Analyse(c)
	return c
}

// plannedFor makes the plan of a document that is given as text.
func plannedFor(t *testing.T, document string) *plan.Plan {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	return planned(t, analysed(c), 1, plan.Effort{})
}

// planned makes the plan of a document with all lifecycles.
func planned(t *testing.T, c *openapi.Contract, seed uint64, effort plan.Effort) *plan.Plan {
	t.Helper()
	return fake.Plan(t, c, seed, 1, effort, checks.Scenarios()...)
}

// walk calls f with the steps of every case of every document.
func walk(t *testing.T, f func(t *testing.T, p *plan.Plan, c *plan.Case, steps []plan.Step)) {
	t.Helper()
	for _, name := range documents() {
		p := planned(t, load(t, name), 1, plan.Effort{})
		require.NotEmpty(t, p.Cases, name)
		for _, c := range p.Cases {
			steps := p.Build(c, generate.Identity{Seed: 1})
			require.NotEmpty(t, steps, c.ID)
			f(t, p, c, steps)
		}
	}
}

// stepsOf builds one case of a document.
func stepsOf(t *testing.T, document, id string) []plan.Step {
	t.Helper()
	return built(t, planned(t, load(t, document), 1, plan.Effort{}), id)
}

// built builds one case of a plan.
func built(t *testing.T, p *plan.Plan, id string) []plan.Step {
	t.Helper()
	c := p.Find(id)
	require.NotNil(t, c, id)
	return p.Build(c, generate.Identity{Seed: 1})
}

// story names the operations of the steps and what is special about each.
func story(steps []plan.Step) string {
	var out []string
	for _, s := range steps {
		one := s.Message.Op.ID
		if s.Message.Other {
			one = "other:" + one
		}
		if s.Thing > 0 {
			one += "'"
		}
		if s.Refers {
			one += "@"
		}
		if s.Open {
			one += "?"
		}
		if c := s.Condition; c != nil {
			one += fmt.Sprintf("[%s of %d%s]", c.Field, c.Step, c.As)
			if c.Older {
				one = strings.TrimSuffix(one, "]") + ", older]"
			}
		}
		out = append(out, one)
	}
	return strings.Join(out, " ")
}

func TestTheCatalogueIsComplete(t *testing.T) {
	t.Parallel()
	assert.NoError(t, plan.Validate(checks.Scenarios()))
	left := map[string]bool{}
	for _, m := range checks.Scenarios() {
		left[m.Name] = true
	}
	walk(t, func(_ *testing.T, _ *plan.Plan, c *plan.Case, _ []plan.Step) { delete(left, c.Class.Mutator) })
	assert.Empty(t, left, "no document has a case of it")
}
