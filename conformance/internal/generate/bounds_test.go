package generate

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestBaselineNumbersAreWithinTheBoundsOfTheSchema(t *testing.T) {
	for want, s := range map[string]*openapi.Schema{
		"1 2147483647 1":             {},
		"5 10 1":                     {Minimum: "5", Maximum: "10"},
		"6 9 1":                      {Above: "5", Below: "10"},
		"6 10 1 fraction":            {Minimum: "5.5", Maximum: "10.5"},
		"6 10 1 fraction, exclusive": {Above: "5.5", Below: "10.5"},
		"10 2147483647 5":            {Minimum: "6", Multiple: "5"},
		"-2147483647 -1 1":           {Maximum: "-1"},
		"1 2147483647 1 wide":        {Maximum: "9223372036854775807"},
		"-5 2147483647 1":            {Minimum: "-5"},
	} {
		low, high, step := Bounds(s)
		got := fmt.Sprint(low, " ", high, " ", step)
		assert.Equal(t, want[:min(len(got), len(want))], got)
	}
}

func TestFreshNumbersKeepTheBoundsAndNeverComeTwice(t *testing.T) {
	g := New(&openapi.Operation{}, 1, Identity{Seed: 1}, FirstOffset)
	seen := map[string]bool{}
	for range 2000 {
		n := g.BaselineNumber(&openapi.Schema{Minimum: "1000", Maximum: "9223372036854775807", Multiple: "7"})
		assert.False(t, seen[n], n)
		seen[n] = true
		var v int
		_, err := fmt.Sscan(n, &v)
		assert.NoError(t, err)
		assert.True(t, v >= 1000 && v%7 == 0, n)
	}
	few := &openapi.Schema{Minimum: "3", Maximum: "5"}
	got := map[string]bool{}
	for range 3 {
		got[g.BaselineNumber(few)] = true
	}
	assert.Equal(t, map[string]bool{"3": true, "4": true, "5": true}, got, "few values come in turn")
}

func TestAWordIsFreshForEachNumberSeedAndRun(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []Identity{{Seed: 1}, {Seed: 2}, {Seed: 1, Generation: 1}} {
		g := New(&openapi.Operation{}, 1, id, FirstOffset)
		for range 500 {
			w := g.Word()
			assert.True(t, IsFresh(w), w)
			assert.False(t, seen[w], w)
			seen[w] = true
			assert.Len(t, w, 10)
		}
	}
	again := New(&openapi.Operation{}, 9, Identity{Seed: 1}, FirstOffset)
	assert.True(t, seen[again.Word()], "the same identity and number give the same word")
}

func TestEachGenerationOfASeedHasNumbersOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for generation := range 5 {
		g := New(&openapi.Operation{}, 1, Identity{Seed: 1, Generation: generation}, FirstOffset)
		for range 100 {
			n := g.BaselineNumber(&openapi.Schema{})
			assert.False(t, seen[n], n)
			seen[n] = true
		}
	}
}

func TestAWordIsTakenForOneOfOursOnlyInItsForm(t *testing.T) {
	for text, want := range map[string]bool{"word23": true, "b2cdfg": true, "word2": false, "2words": false, "Word23": false, "wordxy": false, "wörd23": false, "": false} {
		assert.Equal(t, want, IsFresh(text), text)
	}
}

func TestANumberBelongsToTheWindowOfItsRunAlone(t *testing.T) {
	id := Identity{Seed: 1}
	g := New(&openapi.Operation{}, 1, id, 0)
	first := g.BaselineNumber(&openapi.Schema{})
	assert.True(t, id.Owns(first))
	assert.False(t, Identity{Seed: 1, Generation: 1}.Owns(first))
	for _, other := range []string{"0", "-1", "x", "1.5", "99999999999999999999"} {
		assert.False(t, id.Owns(other), other)
	}
}

// A neighbour of a value is another one of its class, and each round of a seed has
// others.
func TestANeighbourIsAnotherValueOfItsClass(t *testing.T) {
	of := func(text string, neighbour, round int) string {
		return New(&openapi.Operation{}, 1, Identity{Seed: 1, Neighbour: neighbour, RunNumber: round}, 64).Int(text, 1)
	}
	for _, text := range []string{"127", "9007199254740993", "-9007199254740993"} {
		assert.Equal(t, text, of(text, 0, 0))
		assert.NotEqual(t, text, of(text, 1, 0))
		assert.NotEqual(t, of(text, 1, 0), of(text, 2, 0))
		assert.NotEqual(t, of(text, 1, 0), of(text, 1, 1))
	}
	assert.Equal(t, "9007199254806530", of("9007199254740993", 1, 0))
	assert.Equal(t, "rose", New(&openapi.Operation{}, 1, Identity{}, 64).Text("rose"))
	assert.Regexp(t, `^rose-[A-Z0-9]+1$`, New(&openapi.Operation{}, 1, Identity{Neighbour: 1}, 64).Text("rose"))
}

func TestBaselineTextKeepsTheLengthsOfTheSchema(t *testing.T) {
	n := func(n int) *int { return &n }
	for want, s := range map[int]*openapi.Schema{10: {}, 12: {MinLength: n(12)}, 3: {MaxLength: n(3)}, 7: {MinLength: n(7), MaxLength: n(7)}} {
		g := New(&openapi.Operation{}, 1, Identity{Seed: 1}, 64)
		assert.Len(t, g.BaselineText(s), want)
	}
	g := New(&openapi.Operation{}, 1, Identity{Seed: 1}, 64)
	g.BaselineText(&openapi.Schema{MinLength: n(mostText)})
	assert.Empty(t, g.Over)
	g.BaselineText(&openapi.Schema{MinLength: n(mostText + 1)})
	assert.Contains(t, g.Over, "a text of at least 8193 characters")
}

// A negative number in each request would be what is tried, beside what should be.
func TestBaselineNumbersAreAboveZeroWhereTheRangeHasSuch(t *testing.T) {
	g := New(&openapi.Operation{}, 1, Identity{Seed: 1}, FirstOffset)
	for range 200 {
		n := g.BaselineNumber(&openapi.Schema{Minimum: "-90", Maximum: "90"})
		assert.Regexp(t, "^[1-9][0-9]?$", n)
	}
	assert.Equal(t, "-3", g.BaselineNumber(&openapi.Schema{Minimum: "-3", Maximum: "-3"}))
}
