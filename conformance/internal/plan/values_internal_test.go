package plan

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/schema"
)

func TestBaselineNumbersAreWithinTheBoundsOfTheSchema(t *testing.T) {
	for want, s := range map[string]*schema.Schema{
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
	g := NewGen(&openapi.Operation{}, 1, Identity{Seed: 1}, FirstOffset)
	seen := map[string]bool{}
	for range 2000 {
		n := g.BaselineNumber(&schema.Schema{Minimum: "1000", Maximum: "9223372036854775807", Multiple: "7"})
		assert.False(t, seen[n], n)
		seen[n] = true
		var v int
		_, err := fmt.Sscan(n, &v)
		assert.NoError(t, err)
		assert.True(t, v >= 1000 && v%7 == 0, n)
	}
	few := &schema.Schema{Minimum: "3", Maximum: "5"}
	got := map[string]bool{}
	for range 3 {
		got[g.BaselineNumber(few)] = true
	}
	assert.Equal(t, map[string]bool{"3": true, "4": true, "5": true}, got, "few values come in turn")
}

func TestAWordIsFreshForEachNumberSeedAndRun(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []Identity{{Seed: 1}, {Seed: 2}, {Seed: 1, Generation: 1}} {
		g := NewGen(&openapi.Operation{}, 1, id, FirstOffset)
		for range 500 {
			w := g.Word()
			assert.True(t, IsFresh(w), w)
			assert.False(t, seen[w], w)
			seen[w] = true
			assert.Len(t, w, 10)
		}
	}
	again := NewGen(&openapi.Operation{}, 9, Identity{Seed: 1}, FirstOffset)
	assert.True(t, seen[again.Word()], "the same identity and number give the same word")
}

func TestEachGenerationOfASeedHasNumbersOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for generation := range 5 {
		g := NewGen(&openapi.Operation{}, 1, Identity{Seed: 1, Generation: generation}, FirstOffset)
		for range 100 {
			n := g.BaselineNumber(&schema.Schema{})
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
	g := NewGen(&openapi.Operation{}, 1, id, 0)
	first := g.BaselineNumber(&schema.Schema{})
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
		return NewGen(&openapi.Operation{}, 1, Identity{Seed: 1, Neighbour: neighbour, RunNumber: round}, 64).Int(text, 1)
	}
	for _, text := range []string{"127", "9007199254740993", "-9007199254740993"} {
		assert.Equal(t, text, of(text, 0, 0))
		assert.NotEqual(t, text, of(text, 1, 0))
		assert.NotEqual(t, of(text, 1, 0), of(text, 2, 0))
		assert.NotEqual(t, of(text, 1, 0), of(text, 1, 1))
	}
	assert.Equal(t, "9007199254806530", of("9007199254740993", 1, 0))
	assert.Equal(t, "rose", NewGen(&openapi.Operation{}, 1, Identity{}, 64).Text("rose"))
	assert.Regexp(t, `^rose-[A-Z0-9]+1$`, NewGen(&openapi.Operation{}, 1, Identity{Neighbour: 1}, 64).Text("rose"))
}

func TestBaselineTextKeepsTheLengthsOfTheSchema(t *testing.T) {
	n := func(n int) *int { return &n }
	for want, s := range map[int]*schema.Schema{10: {}, 12: {MinLength: n(12)}, 3: {MaxLength: n(3)}, 7: {MinLength: n(7), MaxLength: n(7)}} {
		g := NewGen(&openapi.Operation{}, 1, Identity{Seed: 1}, 64)
		assert.Len(t, g.BaselineText(s), want)
	}
	g := NewGen(&openapi.Operation{}, 1, Identity{Seed: 1}, 64)
	g.BaselineText(&schema.Schema{MinLength: n(maxText)})
	assert.Empty(t, g.Over)
	g.BaselineText(&schema.Schema{MinLength: n(maxText + 1)})
	assert.Contains(t, g.Over, "a text of at least 8193 characters")
}

// A negative number in each request would be what is tried, beside what should be.
func TestBaselineNumbersAreAboveZeroWhereTheRangeHasSuch(t *testing.T) {
	g := NewGen(&openapi.Operation{}, 1, Identity{Seed: 1}, FirstOffset)
	for range 200 {
		n := g.BaselineNumber(&schema.Schema{Minimum: "-90", Maximum: "90"})
		assert.Regexp(t, "^[1-9][0-9]?$", n)
	}
	assert.Equal(t, "-3", g.BaselineNumber(&schema.Schema{Minimum: "-3", Maximum: "-3"}))
}

func TestBaselineTextsMatchPatternsThatOnlyECMA262Knows(t *testing.T) {
	for _, text := range []string{`^(?=.*[A-Z])(?=.*\d).{8,12}$`, `^(?!0)\d{4}$`, `^\u0041\cJ?$`, `^a\/b$`, `^[^]{3}$`, `^[\w-\.]{5}$`} {
		p, err := pattern.Compile(text)
		assert.NoError(t, err)
		g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(1))}
		for range 20 {
			made, ok := g.matching(text, nil, nil)
			if assert.True(t, ok, text) {
				assert.Equal(t, pattern.Yes, p.Match(made), "%s made %q", text, made)
			}
		}
	}
}

func TestATextOfAPatternWithoutALimitHasTheLengthThatIsAskedFor(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, c := range []struct {
		text             string
		minimum, maximum *int
	}{{`^[A-Z]+$`, number(3), number(3)}, {`^[a-z]+$`, number(50), nil}, {`^x-[a-z]*-y$`, number(20), number(21)}, {`^[a-z]{2,}$`, number(30), number(40)}, {`^[^/]*$`, nil, number(1)}} {
		for seed := range int64(200) {
			g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(seed))}
			made, ok := g.matching(c.text, c.minimum, c.maximum)
			assert.True(t, ok, "%s with seed %d", c.text, seed)
			if c.minimum != nil {
				assert.GreaterOrEqual(t, len(made), *c.minimum)
			}
			if c.maximum != nil {
				assert.LessOrEqual(t, len(made), *c.maximum)
			}
		}
	}
}

func TestAKeyForOneRequestIsFreshAlthoughItHasAPattern(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{"parameters":[
		{"name":"Idempotency-Key","in":"header","required":true,"schema":{"type":"string","minLength":8,"pattern":"^[A-Za-z0-9_-]+$"}},
		{"name":"X-Other","in":"header","required":true,"schema":{"type":"string","pattern":"^[A-Z]{2}$"}}],"responses":{"200":{"description":"done"}}}}}}`))
	assert.NoError(t, err)
	sent := func(number int) (key, other string) {
		m := NewGen(c.Operations[0], 1, Identity{Seed: 1}, number).Baseline()
		return m.At("header/Idempotency-Key").Text, m.At("header/X-Other").Text
	}
	key, other := sent(100)
	again, same := sent(900)
	assert.NotEqual(t, key, again)
	assert.Equal(t, other, same, "what has few texts is drawn again")
}

func TestATextOfAPatternIsFreshAndUsesItsRoom(t *testing.T) {
	for _, text := range []string{`^[A-Z][A-Z0-9]{1,7}$`, `^[a-z]+$`, `^x-[a-z]*$`, `^[A-Z]{8}$`, `^\d{1,20}$`, `^[A-Z]{2,4}-[0-9]{1,9}$`} {
		c, err := openapi.Load("t", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{"requestBody":{"content":{"application/json":{"schema":
			{"type":"object","required":["key"],"properties":{"key":{"type":"string","pattern":"`+strings.ReplaceAll(text, `\`, `\\`)+`"}}}}}},"responses":{"200":{"description":"done"}}}}}}`))
		assert.NoError(t, err)
		seen, first := map[string]bool{}, Identity{Seed: 1}
		for number := range 1000 {
			key := NewGen(c.Operations[0], 1, first, number*4).Baseline().Tree.Get("key").Text
			assert.False(t, seen[key], "%s made %s again", text, key)
			seen[key] = true
		}
	}
}

func TestANeighbourOfATextOfAPatternWithFewIsAnotherText(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{"requestBody":{"content":{"application/json":{"schema":
		{"type":"object","required":["key"],"properties":{"key":{"type":"string","pattern":"^[A-Z]{2}$"}}}}}},"responses":{"200":{"description":"done"}}}}}}`))
	assert.NoError(t, err)
	seen := map[string]bool{}
	for n := range 6 {
		seen[NewGen(c.Operations[0], 1, Identity{Seed: 1, Neighbour: n}, 7).Baseline().Tree.Get("key").Text] = true
	}
	assert.Greater(t, len(seen), 3)
	s := c.Operations[0].Body.Shape
	assert.True(t, Few(s, s.Schema.Property("key").Schema))
}

// Repetitions inside each other multiply: texts that are far too long cost the work of a plan.
func TestATextOfNestedRepetitionsWithinALimitIsFoundSoon(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, c := range []struct {
		text             string
		minimum, maximum *int
	}{{`^[A-Za-z_]+(\.[A-Za-z_]+)*$`, nil, number(40)}, {`^[a-z]+(-[a-z]+)*$`, number(30), number(40)}, {`^(([a-z]+-)*[a-z]+/)*[a-z]+$`, nil, number(60)},
		{`^([a-z]+-)+$`, number(2), number(2)}, {`^/([a-z]+/)*$`, number(64), nil}, {`^([0-9]{1,3}\.)+[a-z]{2,8}$`, nil, number(12)}} {
		for seed := range int64(200) {
			g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(seed)), room: roomy}
			made, ok := g.matching(c.text, c.minimum, c.maximum)
			assert.True(t, ok, "%s with seed %d", c.text, seed)
			assert.Less(t, g.Took, 20_000, "%s made %q", c.text, made)
		}
	}
}

// A pattern of decimals takes texts that are none, such as "." and "": those may be refused.
func TestADecimalWithAPatternIsADecimalThatEveryServerTakes(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{"requestBody":{"content":{"application/json":{"schema":
		{"type":"object","required":["price"],"properties":{"price":{"type":"string","format":"decimal","pattern":"^-?\\d{0,3}(?:\\.\\d{0,2})?$"}}}}}},"responses":{"200":{"description":"done"}}}}}}`))
	assert.NoError(t, err)
	for number := range 300 {
		m := NewGen(c.Operations[0], 1, Identity{Seed: 1}, number).Baseline()
		assert.Equal(t, schema.MustAccept, m.Reading().Kind, m.Tree.String())
	}
}

// A server may refuse a price of 0.00, and the pattern does not tell.
func TestATextOfAPatternIsNoZeroIfItMatchesAnotherOne(t *testing.T) {
	for text, want := range map[string]bool{`^[0-3]\.[0-1]0$`: false, `^0\.00$`: true} {
		zeros := 0
		g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(1))}
		for range 300 {
			made, ok := g.matching(text, nil, nil)
			if assert.True(t, ok, text); schema.IsZero(made) {
				zeros++
			}
		}
		assert.Equal(t, want, zeros > 0, text)
	}
}

func TestAFreshNumberTellsNothingAboutItsPlaceInThePlan(t *testing.T) {
	for _, seed := range []uint64{1, 2, 1 << 52} {
		g := &Gen{id: Identity{Seed: seed}}
		seen := make([]bool, window)
		below, rising := 0, 0
		var before int64
		for i := range int64(window) {
			n := g.hidden(5*window + i + 1)
			at := n - 1 - 5*window
			if !assert.True(t, at >= 0 && at < window && !seen[at], "%d is outside, or there already", n) {
				return
			}
			seen[at] = true
			if i < window/2 && at < window/2 {
				below++
			}
			if n > before {
				rising++
			}
			before = n
		}
		// Half of the first half lies below the middle, and every second number
		// is larger than the one before.
		assert.InDelta(t, window/4, below, window/100)
		assert.InDelta(t, window/2, rising, window/100)
	}
	a, b := &Gen{id: Identity{Seed: 1}}, &Gen{id: Identity{Seed: 2}}
	assert.NotEqual(t, a.hidden(1), b.hidden(1))
}
