package judge

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// counting makes a class that counts how often a case of it is made.
func counting(made *atomic.Int64) plan.Mutator {
	m := class("bad", plan.ExpectInvalid, badPlant, badPlant)
	classes := m.Classes
	m.Classes = func(s *plan.Space) []plan.Class {
		list := classes(s)
		for i := range list {
			build := list[i].Build
			list[i].Build = func(g *generate.Gen, draw int) []plan.Step { made.Add(1); return build(g, draw) }
		}
		return list
	}
	return m
}

func TestCasesAreExaminedOnceForAllRunsWithTheSameBytes(t *testing.T) {
	var made atomic.Int64
	d := fake.Plants(t, counting(&made))
	shared := new(Shared)
	examine := func(key string, facts *explore.Facts) (found map[string]int, builds int64) {
		before := made.Load()
		j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Facts = facts
		j.CoverOnce(shared, key, d.Plan.Cases)
		j.Examine()
		found = map[string]int{}
		for _, c := range d.Plan.Cases {
			j.Covers(c).Each(func(at int) { found[j.Bound[at].ID]++ })
		}
		return found, made.Load() - before
	}
	first, builds := examine("a", &explore.Facts{Seed: 1})
	assert.Equal(t, 2, first["newplant-id-integer"])
	assert.EqualValues(t, 2, builds)
	for _, other := range []struct {
		key    string
		facts  explore.Facts
		builds int64
	}{{"a", explore.Facts{Seed: 1}, 0}, {"another credential", explore.Facts{Seed: 1}, 2}, {"a", explore.Facts{Seed: 2}, 2},
		{"a", explore.Facts{Seed: 1, Generation: 1}, 2}, {"a", explore.Facts{Seed: 1, EarlierRuns: 1}, 2}, {"a", explore.Facts{Seed: 1}, 0}} {
		again, builds := examine(other.key, &other.facts)
		assert.Equal(t, first, again)
		assert.Equal(t, other.builds, builds, "%s %+v", other.key, other.facts)
	}
}
