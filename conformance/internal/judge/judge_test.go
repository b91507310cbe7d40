package judge

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
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
			list[i].Build = func(g *plan.Gen, draw int) []plan.Step { made.Add(1); return build(g, draw) }
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

// A case exists because of a text: what breaks in it is told under what the text suggests.
func TestWhatACaseOfATextShowsFailsNothingButWhatTheTextSuggests(t *testing.T) {
	j, op := judgeOf(t, stays)
	for _, status := range []int{500, 201} {
		s := posted(j, op, `{"room":"r1"}`, status, "")
		s.hinted, s.tests = []string{"undocumented-rule"}, []string{"undocumented-rule"}
		got := j.check(s, Set{})
		assert.Nil(t, got.Reason, status)
		if status == 201 {
			assert.Empty(t, got.Failed())
			continue
		}
		require.Len(t, got.Warnings, 1)
		assert.Equal(t, "post-stays-undocumented-rule", j.Bound[got.Warnings[0].At].ID)
		assert.Contains(t, got.Warnings[0].Outcome.Got, "500")
		s.hinted = nil
		got = j.check(s, Set{})
		require.NotNil(t, got.Reason)
		assert.Equal(t, "post-stays-answered", j.Bound[got.Reason.At].ID)
	}
}

// A server may refuse an end before its start, whatever their names are, and a kind of texts that
// only a sentence tells of.
func TestAnOrderOrAKindThatNoAcceptedRequestHadMayBeWhyOneIsRefused(t *testing.T) {
	const described = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {
	requestBody: {content: {application/json: {schema: {type: object, required: [day], properties: {day: {type: string, format: date}, left: {type: string, format: date},
	place: {type: string, description: "SAYS"}, few: {type: integer, minimum: 1, maximum: 9}, many: {type: integer, minimum: 1, maximum: 9}}}}}},
	responses: {"201": {description: d}, "400": {description: d}}}}}}`
	for _, said := range []string{"x", "One of red1, blue2."} {
		j, op := judgeOf(t, strings.Replace(described, "SAYS", said, 1))
		for _, body := range []string{`{"day":"2030-02-01","left":"2030-02-09"}`, `{"day":"2030-02-05","left":"2030-02-06"}`, `{"day":"2030-03-01","left":"2030-03-01"}`,
			`{"day":"2030-02-01","few":1,"many":9}`, `{"day":"2030-02-01","few":2,"many":3}`} {
			accept(j, posted(j, op, body, 201, ""))
		}
		j.Taken.Settle()
		for body, open := range map[string][]string{
			`{"day":"2030-02-08","left":"2030-02-07"}`: {"/day", "/left"},
			`{"day":"2030-02-07","left":"2030-02-08"}`: nil,
			`{"day":"2030-02-07"}`:                     nil,
			`{"day":"2030-02-01","few":9,"many":1}`:    {"/few", "/many"},
			`{"day":"2030-02-01","few":1,"many":8}`:    {"/many"},
			`{"day":"2030-02-01","few":1,"many":2}`:    {"/many"},
		} {
			got := j.open(posted(j, op, body, 400, ""))
			if open == nil {
				assert.Empty(t, got, "%s, %s", said, body)
			} else {
				assert.Subset(t, open, got, "%s, %s", said, body)
				assert.NotEmpty(t, got, "%s, %s", said, body)
			}
		}
		accept(j, posted(j, op, `{"day":"2030-02-01","place":"red1"}`, 201, ""))
		guessed := said != "x"
		assert.Equal(t, guessed, len(j.open(posted(j, op, `{"day":"2030-02-01","place":"g4hs8kd2"}`, 400, ""))) > 0, "a guess says nothing of other texts")
	}
}
