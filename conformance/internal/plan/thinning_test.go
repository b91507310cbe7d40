package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/request"
)

// small is a document with one operation.
func small(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Load("t.json", []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/t":{"post":{
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}},
"responses":{"200":{"description":"it"}}}}}}`))
	require.NoError(t, err)
	return c
}

// taking makes a class whose cases take so many fresh numbers each.
func taking(kind string, cases, numbers int) Class {
	return Class{Family: FamilyValid, Kind: kind, Cases: cases, Build: func(g *generate.Gen, _ int) []Step {
		for range numbers {
			g.Word()
		}
		return []Step{{Message: &request.Message{Op: g.Op}}}
	}}
}

func emptyPlan(t *testing.T) (*Plan, *contract.Operation) {
	c := small(t)
	p, err := New(c, nil, 1, 5)
	require.NoError(t, err)
	return p, c.Operations[0]
}

func kindsOf(classes []Class) string {
	var out []string
	for _, c := range classes {
		out = append(out, fmt.Sprint(c.Kind, ":", c.Cases))
	}
	return strings.Join(out, " ")
}

func TestWhereFreshValuesAreShortTheDearestClassesGo(t *testing.T) {
	p, op := emptyPlan(t)
	share := generate.LastOffset - generate.FirstOffset
	kept := p.thin(op, []Class{taking("dear", 1, share-500), taking("cheap", 1, 3), taking("dearest", 1, share-100), taking("cheapest", 1, 1)})
	assert.Equal(t, "dear:1 cheap:1 cheapest:1", kindsOf(kept), "in their order")
	assert.True(t, p.Thinned(op))
	require.Len(t, p.LeftOut, 1)
	assert.Contains(t, p.LeftOut[0], "POST /t: 1 of 4 classes are not tried, 0 have fewer cases")

	p, op = emptyPlan(t)
	assert.Equal(t, "two:1", kindsOf(p.thin(op, []Class{taking("one", 1, share), taking("two", 1, share-generate.Slack)})), "as many as there are fit")
}

func TestWhereThereIsRoomForOneCaseOfEachClassEachHasAsManyAsFit(t *testing.T) {
	p, op := emptyPlan(t)
	share := generate.LastOffset - generate.FirstOffset
	third := share/3 - generate.Slack
	kept := p.thin(op, []Class{taking("a", 9, third/2-2*generate.Slack), taking("b", 1, third/2-2*generate.Slack)})
	assert.Equal(t, "a:3 b:1", kindsOf(kept))
	assert.Contains(t, p.LeftOut[0], "0 of 2 classes are not tried, 1 have fewer cases")

	p, op = emptyPlan(t)
	assert.Equal(t, "a:9 b:1", kindsOf(p.thin(op, []Class{taking("a", 9, 10), taking("b", 1, 10)})))
	assert.Empty(t, p.LeftOut)
}

func TestWhereEachRequestTakesMuchWorkClassesAreKeptEvenly(t *testing.T) {
	p, op := emptyPlan(t)
	s := p.spaces[op]
	s.unit = s.share / classWork / 4
	assert.Equal(t, 4, s.roomFor())
	var made []Class
	for n := range 8 {
		made = append(made, taking(fmt.Sprint(n), 1, 1))
	}
	assert.Equal(t, "0:1 2:1 4:1 6:1", kindsOf(p.afford(op, made)))
	assert.Contains(t, p.LeftOut[0], "4 of 8 classes are not tried")
	assert.Len(t, p.afford(op, made[:4]), 4)
	assert.Len(t, p.LeftOut, 1)
	s.unit = s.share
	assert.Equal(t, 1, s.roomFor(), "one class at least")
}

func TestASpaceStopsTryingValuesOnceItsWorkIsSpent(t *testing.T) {
	p, op := emptyPlan(t)
	s := p.Space(op)
	s.work = 10
	assert.True(t, s.Spend(9))
	assert.False(t, s.Spend(1))
	s.Leave("a\nb")
	s.Leave("a\nb")
	assert.Len(t, s.left, 1)
	assert.NotContains(t, s.left[0], "\n")
}

// Of two plans the cases that are in both send the same, whatever else is planned.
func TestWhatACaseDrawsDependsOnItsNameAndTheSeedAlone(t *testing.T) {
	random := func(kind string, cases int) Mutator {
		return Mutator{Name: kind, Doc: "Random.", Classes: func(*Space) []Class {
			return []Class{{Family: FamilyValid, Kind: "k", Cases: cases, Build: func(g *generate.Gen, _ int) []Step {
				return []Step{{Message: &request.Message{Op: g.Op, Raw: fmt.Append(nil, g.Rand.Int63())}}}
			}}}
		}}
	}
	drawn := func(seed uint64, list ...Mutator) map[string]string {
		p, err := New(small(t), nil, seed, 1)
		require.NoError(t, err)
		require.NoError(t, p.Fill(t.Context(), list))
		out := map[string]string{}
		for _, c := range p.Cases {
			out[c.ID] = string(p.Build(c, generate.Identity{Seed: seed})[0].Message.Raw)
		}
		return out
	}
	all, few := drawn(1, random("a", 3), random("b", 2)), drawn(1, random("b", 2))
	again := drawn(1, random("b", 2), random("a", 3))
	assert.Equal(t, all, again)
	assert.Len(t, all, 5)
	values := map[string]bool{}
	for id, v := range all {
		values[v] = true
		if few[id] != "" {
			assert.Equal(t, v, few[id], id)
		}
	}
	assert.Len(t, values, 5, "no two cases draw the same")
	for id, v := range drawn(2, random("b", 2)) {
		assert.NotEqual(t, few[id], v, "another seed")
	}
}

// No two cases get the same fresh numbers, and the phases follow each other, the
// first case of each class before the others.
func TestEachCaseHasFreshNumbersOfItsOwnAndWhatMayHarmComesLast(t *testing.T) {
	p, op := emptyPlan(t)
	late := taking("late", 2, 1)
	late.Phase = Credential
	row := taking("row", 2, 3)
	row.Phase = Sequence
	require.NoError(t, p.Fill(t.Context(), []Mutator{{Name: "m", Doc: "All.", Classes: func(*Space) []Class {
		return []Class{late, row, taking("a", 2, 3), taking("b", 2, 1)}
	}}}))
	var order []string
	used := map[int]string{}
	for _, c := range p.Cases {
		order = append(order, fmt.Sprint(c.Class.Kind, c.Draw))
		assert.GreaterOrEqual(t, c.offset, generate.FirstOffset)
		g := p.gen(c, generate.Identity{Seed: 1})
		c.Class.Build(g, c.Draw)
		for n := c.offset; n < g.Used(); n++ {
			assert.Empty(t, used[n], "%d is %s's", n, used[n])
			used[n] = c.ID
		}
	}
	assert.Equal(t, "a0 b0 a1 b1 row0 row1 late0 late1", strings.Join(order, " "))
	assert.Equal(t, p.Cases[0], p.Find(p.Cases[0].ID))
	assert.Nil(t, p.Find("post-t/none"))
	assert.Equal(t, op, p.Cases[0].Op)
}

func TestAPlanSaysHowMuchItCouldNotTry(t *testing.T) {
	c := small(t)
	values, places := limits(c)
	assert.Zero(t, values+places, "a small document has no limit")
	c.Operations[0].Body.Shape.Size = manyPlaces
	values, _ = limits(c)
	assert.Zero(t, values)
	c.Operations[0].Body.Shape.Size = manyPlaces + 1
	values, places = limits(c)
	assert.Equal(t, placeCases/(manyPlaces+1), values)
	assert.Equal(t, mostPlaces, places)
	c.Operations[0].Body.Shape.Size = mostPlaces + 1
	p, err := New(c, nil, 1, 5)
	require.NoError(t, err)
	assert.True(t, p.Thinned(c.Operations[0]))
	assert.Contains(t, p.LeftOut[0], "nothing is tried at more than 600 of the 601 places")
	assert.Equal(t, 3, p.Space(c.Operations[0]).Draws)
}
