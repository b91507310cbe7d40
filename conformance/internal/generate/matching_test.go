package generate

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
)

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
		text        string
		least, most *int
	}{{`^[A-Z]+$`, number(3), number(3)}, {`^[a-z]+$`, number(50), nil}, {`^x-[a-z]*-y$`, number(20), number(21)}, {`^[a-z]{2,}$`, number(30), number(40)}, {`^[^/]*$`, nil, number(1)}} {
		for seed := range int64(200) {
			g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(seed))}
			made, ok := g.matching(c.text, c.least, c.most)
			assert.True(t, ok, "%s with seed %d", c.text, seed)
			if c.least != nil {
				assert.GreaterOrEqual(t, len(made), *c.least)
			}
			if c.most != nil {
				assert.LessOrEqual(t, len(made), *c.most)
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
		m := New(c.Operations[0], 1, Identity{Seed: 1}, number).Baseline()
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
			key := New(c.Operations[0], 1, first, number*4).Baseline().Tree.Get("key").Text
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
		seen[New(c.Operations[0], 1, Identity{Seed: 1, Neighbour: n}, 7).Baseline().Tree.Get("key").Text] = true
	}
	assert.Greater(t, len(seen), 3)
	s := c.Operations[0].Body.Shape
	assert.True(t, Few(s, s.Schema.Property("key").Schema))
}

// Repetitions inside each other multiply: texts that are far too long cost the work of a plan.
func TestATextOfNestedRepetitionsWithinALimitIsFoundSoon(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, c := range []struct {
		text        string
		least, most *int
	}{{`^[A-Za-z_]+(\.[A-Za-z_]+)*$`, nil, number(40)}, {`^[a-z]+(-[a-z]+)*$`, number(30), number(40)}, {`^(([a-z]+-)*[a-z]+/)*[a-z]+$`, nil, number(60)},
		{`^([a-z]+-)+$`, number(2), number(2)}, {`^/([a-z]+/)*$`, number(64), nil}, {`^([0-9]{1,3}\.)+[a-z]{2,8}$`, nil, number(12)}} {
		for seed := range int64(200) {
			g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(seed)), room: roomy}
			made, ok := g.matching(c.text, c.least, c.most)
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
		m := New(c.Operations[0], 1, Identity{Seed: 1}, number).Baseline()
		assert.Equal(t, openapi.MustAccept, m.Reading().Kind, m.Tree.String())
	}
}

// A server may refuse a price of 0.00, and the pattern does not tell.
func TestATextOfAPatternIsNoZeroIfItMatchesAnotherOne(t *testing.T) {
	for text, want := range map[string]bool{`^[0-3]\.[0-1]0$`: false, `^0\.00$`: true} {
		zeros := 0
		g := &Gen{Op: &openapi.Operation{}, Rand: rand.New(rand.NewSource(1))}
		for range 300 {
			made, ok := g.matching(text, nil, nil)
			if assert.True(t, ok, text); openapi.IsZero(made) {
				zeros++
			}
		}
		assert.Equal(t, want, zeros > 0, text)
	}
}
