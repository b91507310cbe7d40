package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

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
