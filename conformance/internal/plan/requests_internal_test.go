package plan

import (
	"regexp/syntax"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

func TestTheRangesOfFreshNumbersFillAWindowAndNeverOverlap(t *testing.T) {
	end := 0
	for _, r := range ranges() {
		assert.Equal(t, end, r.First, r.Purpose)
		assert.Greater(t, r.End, r.First, r.Purpose)
		end = r.End
	}
	assert.Equal(t, window, end)
}

func TestEveryRetryPlaceLiesInItsRange(t *testing.T) {
	seen := map[int]bool{}
	for retry := 1; retry <= (LongOpening-LastOffset)/RetryStride; retry++ {
		n := RetryNumber(retry)
		assert.True(t, n >= LastOffset && n+RetryStride <= LongOpening && !seen[n], "place %d", retry)
		seen[n] = true
	}
	assert.Equal(t, LastOffset, RetryNumber(len(seen)+1), "then the first one comes again")
}

// booking is an operation whose body and query have a beginning and an end.
const booking = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{
	"parameters":[{"name":"from","in":"query","required":true,"schema":{"type":"string","format":"date"}},{"name":"to","in":"query","schema":{"type":"string","format":"date"}}],
	"requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["end","start","min_price","max_price"],"properties":{
		"end":{"type":"string","format":"date-time"},"start":{"type":"string","format":"date-time"},
		"min_price":{"type":"integer","minimum":1},"max_price":{"type":"integer","minimum":1},
		"checkIn":{"type":"string","format":"date"},"checkOut":{"type":"string","format":"date"}}}}}},
	"responses":{"200":{"description":"done"}}}}}}`

func TestWhatEndsEndsAfterItBegan(t *testing.T) {
	c, err := openapi.Load("t", []byte(booking))
	assert.NoError(t, err)
	op := c.Operations[0]
	before := func(low, high *jsontree.Value) {
		a, _ := schema.Instant(low.Text)
		b, _ := schema.Instant(high.Text)
		assert.True(t, a.Before(b), "%s to %s", low.Text, high.Text)
	}
	for number := range 300 {
		g := NewGen(op, 1, Identity{Seed: 1}, number)
		m := g.Baseline()
		g.Give(m, op.Optional())
		before(m.Tree.Get("start"), m.Tree.Get("end"))
		before(m.Tree.Get("checkIn"), m.Tree.Get("checkOut"))
		before(m.At("query/from"), m.At("query/to"))
		assert.LessOrEqual(t, jsontree.Compare(m.Tree.Get("min_price").Text, m.Tree.Get("max_price").Text), 0)
		assert.Equal(t, schema.MustAccept, m.Reading().Kind)

		m.Tree.Set("start", jsontree.NewString("2099-01-01T00:00:00Z"))
		assert.Equal(t, schema.MayRefuse, m.Reading().Kind, "it ends before it begins")
		body := op.Body.Shape
		g.Beside(body.Schema, m.Tree, "start", true, Chosen(m, body, ""))
		assert.Equal(t, "2099-01-01T01:00:00Z", m.Tree.Get("end").Text)
	}
}

// moving is an operation whose requests change one side of a pair or both.
const moving = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"patch":{
	"requestBody":{"content":{"application/json":{"schema":{"type":"object","minProperties":1,"properties":{
		"end":{"type":"string","format":"date"},"start":{"type":"string","format":"date"}}}}}},
	"responses":{"200":{"description":"done"}}}}}}`

func TestARequestAboutAPartHasBothMembersOfAPair(t *testing.T) {
	c, err := openapi.Load("t", []byte(moving))
	assert.NoError(t, err)
	op := c.Operations[0]
	for number := range 50 {
		m := NewGen(op, 1, Identity{Seed: 1}, number).Baseline()
		assert.NotNil(t, m.Tree.Get("start"))
		assert.Equal(t, schema.MustAccept, op.Body.Shape.Read(m.Tree.Emit()).Kind, "%s", m.Tree.Emit())
	}
}

// What a case is about may be the end that nothing comes before: another member that is given
// must not move it.
func TestGivingAMemberMovesNothingThatWasThere(t *testing.T) {
	c, err := openapi.Load("t", []byte(booking))
	assert.NoError(t, err)
	op := c.Operations[0]
	m := NewGen(op, 1, Identity{Seed: 1}, 7).Baseline()
	m.Tree.Set("end", jsontree.NewString("no time"))
	NewGen(op, 1, Identity{Seed: 1}, 8).Give(m, op.Optional())
	assert.Equal(t, "no time", m.Tree.Get("end").Text)
}

// A server may have a rule for how long something lasts.
func TestWhatBeginsMovesToTheEndThatACaseIsAbout(t *testing.T) {
	c, err := openapi.Load("t", []byte(booking))
	assert.NoError(t, err)
	op := c.Operations[0]
	g := NewGen(op, 1, Identity{Seed: 1}, 7)
	m := g.Baseline()
	m.Tree.Set("end", jsontree.NewString("2099-01-05T12:00:00Z"))
	g.Beside(op.Body.Shape.Schema, m.Tree, "end", true, Chosen(m, op.Body.Shape, ""))
	assert.Equal(t, "2099-01-05T11:00:00Z", m.Tree.Get("start").Text)
}

// A posting has an example of a range, which bounds the numbers of other requests.
const posting = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{
	"requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{
		"salary":{"type":"object","required":["min","max"],"properties":{"min":{"type":"integer","minimum":0,"maximum":10000000},"max":{"type":"integer","minimum":0,"maximum":10000000}}}}},
		"example":{"salary":{"min":62000,"max":78000}}}}},
	"responses":{"200":{"description":"done"}}}}}}`

func TestARangeBelowAMemberStaysInOrderWithinTheNumbersOfTheExample(t *testing.T) {
	c, err := openapi.Load("t", []byte(posting))
	assert.NoError(t, err)
	op := c.Operations[0]
	for number := range 300 {
		g := NewGen(op, 1, Identity{Seed: 1}, number)
		v := g.BaselineAt("/salary", op.Body.Shape.Schema.Property("salary").Schema)
		assert.LessOrEqual(t, jsontree.Compare(v.Get("min").Text, v.Get("max").Text), 0, v.String())
		assert.LessOrEqual(t, jsontree.Compare(v.Get("max").Text, "78000"), 0, v.String())
	}
}

func TestAnExpressionVariesIfItHasMoreThanOneText(t *testing.T) {
	for expression, varied := range map[string]bool{
		``: false, `abc`: false, `[a]`: false, `a{0}`: false, `[a-z]{0}`: false, `^a$`: false, `(ab)c?`: false,
		`[ab]`: true, `.`: true, `a[ab]`: true, `([ab])?`: true, `[ab]*`: true, `x(y(z[ab])+)?`: true, `a|[0-9]`: true,
		`[a-z]{0,3}`: true, `([a-z]{2,5}|b){1,7}`: true,
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		require.NoError(t, err, expression)
		for _, re := range []*syntax.Regexp{re, re.Simplify()} {
			assert.Equal(t, varied, varies(re, 0), expression)
			assert.Equal(t, bits(re, 0) > 0, varies(re, 0), expression)
		}
	}
	deep, err := syntax.Parse(`a[ab]`, syntax.Perl)
	require.NoError(t, err)
	assert.False(t, varies(deep, expandDepth), "nothing is drawn below it")
}

// numberRange is a part of the numbers of a window. End is the first number after it.
type numberRange struct {
	Purpose    string
	First, End int
}

// ranges lists the parts of a window in order.
func ranges() []numberRange {
	return []numberRange{
		{"the first request of the pre-flight", Opening, FirstOffset},
		{"cases", FirstOffset, LastOffset},
		{"retries, controls and all else that is sent once", LastOffset, LongOpening},
		{"a long first request", LongOpening, Example},
		{"examples for shrinking", Example, Waiting},
		{"waiting for the target", Waiting, Marker},
		{"markers for later runs", Marker, window},
	}
}
