package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// small is a document with one operation.
func small(t *testing.T) *openapi.Contract {
	t.Helper()
	c, err := openapi.Load("t.json", []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/t":{"post":{
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}},
"responses":{"200":{"description":"it"}}}}}}`))
	require.NoError(t, err)
	return c
}

// taking makes a class whose cases take so many fresh numbers each.
func taking(kind string, cases, numbers int) Class {
	return Class{Family: FamilyValid, Kind: kind, Cases: cases, Build: func(g *Gen, _ int) []Step {
		for range numbers {
			g.Word()
		}
		return []Step{{Message: &message.Message{Op: g.Op}}}
	}}
}

func emptyPlan(t *testing.T) (*Plan, *openapi.Operation) {
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

// at makes a class of a family at a place.
func at(family Family, place, kind string, cases int) Class {
	c := taking(kind, cases, 1)
	c.Family, c.Place.Name = family, place
	return c
}

func TestTheFirstCaseOfEachClassComesBeforeTheSecondOfAnyAndEachPlaceHasItsTurn(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "few", Requests: 4, ForPlace: 0, Values: 0})
	kept := p.choose(op, []Class{at(FamilyInvalid, "a", "a1", 9), at(FamilyInvalid, "a", "a2", 9), at(FamilyInvalid, "b", "b1", 9), at(FamilyMayRefuse, "b", "odd", 9)})
	assert.Equal(t, "a1:1 a2:1 b1:1", kindsOf(kept), "what the document says takes three quarters")
	assert.True(t, p.Thinned(op))

	p.Limit(Effort{Name: "more", Requests: 8, ForPlace: 0, Values: 0})
	kept = p.choose(op, []Class{at(FamilyInvalid, "a", "a1", 9), at(FamilyInvalid, "a", "a2", 9), at(FamilyInvalid, "b", "b1", 9), at(FamilyMayRefuse, "b", "odd", 9)})
	assert.Equal(t, "a1:2 a2:2 b1:2 odd:1", kindsOf(kept))
	p.Limit(Effort{})
	assert.Len(t, p.choose(op, []Class{at(FamilyInvalid, "a", "a1", 900)}), 1)
}

func TestNoEffortAsksForMoreValuesThanAnOperationHas(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "large", Requests: LastOffset})
	p.spaces[op].numbers = 300 // as of a body with hundreds of members
	kept := p.choose(op, []Class{at(FamilyInvalid, "a", "a1", LastOffset)})
	assert.LessOrEqual(t, kept[0].Cases*300, LastOffset-FirstOffset)
}

func TestASequenceCountsForItsRequests(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "few", Requests: 10, ForPlace: 0, Values: 0})
	row := at(FamilySequence, "", "row", 9)
	row.Phase = Sequence
	row.Build = func(g *Gen, _ int) []Step { return make([]Step, 2) }
	assert.Equal(t, "a:1 row:1", kindsOf(p.choose(op, []Class{at(FamilyInvalid, "a", "a", 1), row})))
	row.Build = func(g *Gen, _ int) []Step { return make([]Step, 3) }
	assert.Equal(t, "a:1", kindsOf(p.choose(op, []Class{at(FamilyInvalid, "a", "a", 1), row})))
}

func TestTheEffortOfADocumentDependsOnItsSize(t *testing.T) {
	for _, c := range []struct {
		name               string
		operations, places int
		want               string
	}{{"", 1, 20, "full"}, {"", 5, 200, "full"}, {"", 6, 6, "gate"}, {"", 1, 201, "gate"}, {"smoke", 1, 1, "smoke"}, {"deep", 900, 900, "deep"}} {
		e, err := EffortFor(c.name, c.operations, c.places)
		require.NoError(t, err)
		assert.Equal(t, c.want, e.Name)
	}
	_, err := EffortFor("much", 1, 1)
	assert.EqualError(t, err, `no effort "much": use one of smoke, gate, full, deep`)
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

func TestWhereEachRequestTakesMuchWorkWhatOneClassAloneTriesIsKept(t *testing.T) {
	p, op := emptyPlan(t)
	s := p.spaces[op]
	s.unit = s.share / classWork / 4
	var made []Class
	for n := range 8 {
		made = append(made, taking(fmt.Sprint(n), 1, 1))
	}
	made[5].Subject, made[6].Subject, made[7].First = "maxLength /name", "maxLength /name", 1
	assert.Equal(t, "0:1 3:1 5:1 7:1", kindsOf(p.afford(op, made)))
}

func TestTheSharpestClassOfASubjectComesFirstAndEachOfItsKinds(t *testing.T) {
	p, op := emptyPlan(t)
	var made []Class
	for _, kind := range []string{"far", "other", "near", "nearer", "near"} {
		made = append(made, taking(kind, 1, 1))
	}
	for i := range made {
		if made[i].Kind != "other" {
			made[i].Subject, made[i].Sharp = "maximum /id", made[i].Kind != "far"
		}
	}
	steps := []int{1, 1, 1, 1, 1}
	assert.Equal(t, "near:1 nearer:1", kindsOf(p.within(op, slices.Clone(made), steps, 3)))
}

func TestWhatIsNotJSONAndWhatAPlaceAcceptsComeFirstOncePerMutatorAndPlace(t *testing.T) {
	broken := Class{Family: FamilyNotJSON, Mutator: "syntax-errors"}
	accepted := Class{Expected: message.Accept, Place: Place{Path: "/name"}}
	made := []Class{broken, broken, accepted, accepted, {Expected: message.Accept}}
	new(Plan).markSubjects(made)
	var first []int
	for _, c := range made {
		first = append(first, c.First)
	}
	assert.Equal(t, []int{1, 0, 1, 0, 0}, first)
}

func TestLargeRequestsGetMoreOfTheWork(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /small: {get: {parameters: [{name: q, in: query, schema: {type: integer}}], responses: {"200": {description: d}}}},
  /large: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [a, b, c], properties: {
    a: {type: string}, b: {type: string}, c: {type: array, items: {type: string}}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	p, err := New(c, nil, 1, 5)
	require.NoError(t, err)
	small, large := p.spaces[p.ops[0]], p.spaces[p.ops[1]]
	assert.Equal(t, maxWork/len(p.ops), small.share)
	assert.Greater(t, large.share, small.share)
	assert.LessOrEqual(t, large.share, maxWork)
}

func TestTheFirstCasesOfAClassComeBeforeOtherClasses(t *testing.T) {
	p, op := emptyPlan(t)
	bounds := taking("bounds", 3, 1)
	bounds.First = 2
	made := []Class{taking("a", 3, 1), taking("b", 3, 1), bounds}
	steps := []int{1, 1, 1}
	assert.Equal(t, "a:1 bounds:2", kindsOf(p.within(op, slices.Clone(made), steps, 4)))
	assert.Equal(t, "a:3 b:3 bounds:3", kindsOf(p.within(op, slices.Clone(made), steps, 100)))
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

func TestWhatOnePlaceCostsLeavesTheFirstValuesOfTheOthers(t *testing.T) {
	p, op := emptyPlan(t)
	s := p.Space(op)
	s.work = 10
	assert.True(t, s.More("dear", 100))
	assert.False(t, s.Charge("dear", 10), "the part of the operation is used up")
	assert.True(t, s.More("dear", 0), "each place has one of its own")
	assert.False(t, s.More("dear", firstLooks))
	s.Charge("dear", s.share)
	assert.False(t, s.More("dear", 0))
	assert.True(t, s.More("cheap", firstLooks-1))
	assert.False(t, s.More("cheap", firstLooks))
}

// Of two plans the cases that are in both send the same, whatever else is planned.
func TestWhatACaseDrawsDependsOnItsNameAndTheSeedAlone(t *testing.T) {
	random := func(kind string, cases int) Mutator {
		return Mutator{Name: kind, Doc: "Random.", Classes: func(*Space) []Class {
			return []Class{{Family: FamilyValid, Kind: "k", Cases: cases, Build: func(g *Gen, _ int) []Step {
				return []Step{{Message: &message.Message{Op: g.Op, Raw: fmt.Append(nil, g.Rand.Int63())}}}
			}}}
		}}
	}
	drawn := func(seed uint64, list ...Mutator) map[string]string {
		p, err := New(small(t), nil, seed, 1)
		require.NoError(t, err)
		require.NoError(t, p.Fill(t.Context(), list))
		out := map[string]string{}
		for _, c := range p.Cases {
			out[c.ID] = string(p.Build(c, Identity{Seed: seed})[0].Message.Raw)
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
		assert.GreaterOrEqual(t, c.offset, FirstOffset)
		g := p.gen(c, Identity{Seed: 1})
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

func TestAPlanWithoutTimeHasTheFirstEntriesForEveryOperationAndSaysSo(t *testing.T) {
	over, stop := context.WithDeadline(t.Context(), time.Now())
	defer stop()
	entry := func(name string) Mutator {
		return Mutator{Name: name, Doc: "One.", Classes: func(*Space) []Class { return []Class{taking(name, 1, 1)} }}
	}
	filled := func(ctx context.Context) (*Plan, error) {
		p, _ := emptyPlan(t)
		return p, p.Fill(ctx, []Mutator{entry("a"), entry("b"), entry("c")})
	}
	p, err := filled(over)
	require.NoError(t, err)
	require.Len(t, p.Cases, 1)
	assert.Equal(t, "a", p.Cases[0].Class.Mutator)
	assert.Contains(t, p.Cut, "cases were made with 1 of 3 mutators and scenarios")

	p, err = filled(t.Context())
	require.NoError(t, err)
	assert.Len(t, p.Cases, 3)
	assert.Empty(t, p.Cut)

	interrupted, stop := context.WithCancel(t.Context())
	stop()
	_, err = filled(interrupted)
	assert.ErrorIs(t, err, context.Canceled)
}

// by makes a class of a mutator at a place.
func by(mutator, place, kind string) Class {
	c := at(FamilyInvalid, place, kind, 1)
	c.Mutator = mutator
	return c
}

func TestEveryPlaceAndEveryMutatorHasItsTurn(t *testing.T) {
	p, op := emptyPlan(t)
	made := []Class{by("m", "a", "a1"), by("m", "a", "a2"), by("n", "a", "a3"), by("m", "b", "b1"), by("m", "b", "b2")}
	for requests, want := range map[int]string{2: "a1:1", 3: "a1:1 b1:1", 4: "a1:1 a3:1 b1:1", 6: "a1:1 a2:1 a3:1 b1:1", 7: "a1:1 a2:1 a3:1 b1:1 b2:1"} {
		p.Limit(Effort{Name: "few", Requests: requests, ForPlace: 0, Values: 0})
		assert.Equal(t, want, kindsOf(p.choose(op, append([]Class(nil), made...))), requests)
	}
}

func TestAClassThatNoOtherStandsForComesFirst(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "few", Requests: 2})
	only := by("m", "a", "only")
	only.First = 1
	assert.Equal(t, "a1:1", kindsOf(p.choose(op, []Class{by("m", "a", "a1"), by("m", "a", "a2")})))
	p.Limit(Effort{Name: "few", Requests: 3})
	assert.Equal(t, "a1:1 only:1", kindsOf(p.choose(op, []Class{by("m", "a", "a1"), by("m", "a", "a2"), only})))
}

func TestCredentialsAreOnePlaceWhateverTheyAreCalled(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "few", Requests: 3})
	credential := func(place string) Class {
		c := at(FamilyCredential, place, place, 1)
		c.Mutator = "credentials"
		return c
	}
	kept := p.choose(op, []Class{credential("x"), credential("y"), credential("z"), by("m", "a", "a1")})
	assert.Equal(t, "x:1 a1:1", kindsOf(kept))
}

func TestWhatIsStatedComesBeforeWhatMayBeRefusedAndThatBeforeWhatTakesLong(t *testing.T) {
	p, op := emptyPlan(t)
	odd, large := at(FamilyMayRefuse, "a", "odd", 9), at(FamilyMayRefuse, "a", "large", 9)
	large.Phase = Heavy
	for requests, want := range map[int]string{
		8:  "a1:6 odd:1",         // 75 %, then 90 %
		40: "a1:9 odd:9 large:5", // what is not used is left to the next
		12: "a1:9 odd:1",         // 12 - 10 is too little for a heavy case
		20: "a1:9 odd:9",         // 2 left
		22: "a1:9 odd:9 large:1", // a heavy case counts four
		99: "a1:9 odd:9 large:9"} {
		p.Limit(Effort{Name: "few", Requests: requests, ForPlace: 0, Values: 0})
		assert.Equal(t, want, kindsOf(p.choose(op, []Class{at(FamilyInvalid, "a", "a1", 9), odd, large})), requests)
	}
}

func TestARequestOfManyPlacesGetsMoreRequests(t *testing.T) {
	c, err := openapi.Load("t.json", []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/t":{"post":{
"parameters":[{"in":"query","name":"q","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}}}}}},
"responses":{"200":{"description":"it"}}}}}}`))
	require.NoError(t, err)
	p, err := New(c, nil, 1, 5)
	require.NoError(t, err)
	op := c.Operations[0]
	places := Places(c)
	assert.Equal(t, placesOf(op), places)
	assert.GreaterOrEqual(t, places, 5)
	p.Limit(Effort{Name: "few", Requests: 4, ForPlace: 4})
	kept := p.choose(op, []Class{at(FamilyInvalid, "a", "a", 999)})
	assert.Equal(t, 4*places*75/100, kept[0].Cases)
}

func TestAnEffortBoundsWhatOneClassAndOneMutatorTry(t *testing.T) {
	p, op := emptyPlan(t)
	s := p.Space(op)
	p.Limit(Effort{Name: "few", Requests: 30, Values: 1})
	assert.Equal(t, []int{1, 1, 10}, []int{s.Max, s.Draws, s.Places})
	p.Limit(Effort{Name: "few", Requests: 3, Values: 3})
	assert.Equal(t, []int{3, 1, minPlaces}, []int{s.Max, s.Draws, s.Places}, "draws are never raised again")

	p, op = emptyPlan(t)
	p.Limit(Effort{Name: "full"})
	s = p.Space(op)
	assert.Equal(t, []int{0, 5, 0}, []int{s.Max, s.Draws, s.Places})
}

func TestACaseIsBuiltOnceForItsCost(t *testing.T) {
	p, op := emptyPlan(t)
	p.Limit(Effort{Name: "few", Requests: 400})
	built := 0
	row := at(FamilySequence, "", "row", 30)
	row.Phase = Sequence
	row.Build = func(*Gen, int) []Step { built++; return make([]Step, 3) }
	assert.Equal(t, "row:30", kindsOf(p.choose(op, []Class{row})))
	assert.Equal(t, 1, built)
}
