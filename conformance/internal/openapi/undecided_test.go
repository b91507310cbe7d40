package openapi_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// patterned is an operation whose body has a member with a pattern, and whose
// answer has another.
func patterned(t *testing.T, request, answer string) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("t.yaml", []byte(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /things:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [code, n]
              properties:
                n: {type: integer}
                code: {type: string, pattern: '`+request+`'}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties: {code: {type: string, pattern: '`+answer+`'}}
        '400': {description: no}
`))
	require.NoError(t, err)
	return c.Operations[0]
}

// hard needs more steps than are taken on many a's and something behind them.
const hard = `^(?=(a+)+$)a`

var tooMuch = strings.Repeat("a", 40) + "!"

func TestABodyWhosePatternCannotBeDecidedIsNeitherValidNorInvalid(t *testing.T) {
	op := patterned(t, hard, hard)
	for body, want := range map[string]openapi.Kind{
		`{"n":1,"code":"aaa"}`:               openapi.MustAccept,
		`{"n":1,"code":"b"}`:                 openapi.Invalid,
		`{"n":1,"code":"` + tooMuch + `"}`:   openapi.Undecided,
		`{"n":"1","code":"` + tooMuch + `"}`: openapi.Undecided,
	} {
		r := op.Body.Shape.Read([]byte(body))
		assert.Equal(t, want.String(), r.Kind.String(), body)
		if want == openapi.Undecided {
			assert.Equal(t, hard, r.Open)
			assert.Empty(t, r.Violations)
		}
	}
	got := op.Responses[0].Media[0].Shape.Read([]byte(`{"code":"` + tooMuch + `"}`))
	assert.Equal(t, openapi.Undecided, got.Kind)
}

func TestAnUndecidedBodyIsAssumedEitherWay(t *testing.T) {
	shape := patterned(t, hard, hard).Body.Shape
	r := shape.Read([]byte(`{"n":1,"code":"` + tooMuch + `"}`))
	assert.Equal(t, openapi.MustAccept, shape.Assume(r, true).Kind)
	no := shape.Assume(r, false)
	assert.Equal(t, openapi.Invalid, no.Kind)
	assert.True(t, no.Violates(openapi.Key{Path: "/code", Keyword: "pattern"}))
	assert.Equal(t, openapi.Undecided, r.Kind, "the reading itself stays")
}

// One value that cannot be decided says nothing of those that are read at the
// same time.
func TestUndecidedBodiesDoNotDisturbOthers(t *testing.T) {
	shape := patterned(t, hard, hard).Body.Shape
	var group sync.WaitGroup
	for i := range 24 {
		group.Go(func() {
			body, want := `{"n":1,"code":"aaa"}`, openapi.MustAccept
			if i%3 == 0 {
				body, want = `{"n":1,"code":"`+tooMuch+`"}`, openapi.Undecided
			}
			assert.Equal(t, want, shape.Read([]byte(body)).Kind)
		})
	}
	group.Wait()
}

// It was "no match" after 100 ms: the text was invalid then, on a busy machine
// sooner than on an idle one.
func TestAPatternThatBacktracksForLongIsDecided(t *testing.T) {
	shape := patterned(t, `^(a|aa|a?)+$`, `a`).Body.Shape
	assert.Equal(t, openapi.MustAccept, shape.Read([]byte(`{"n":1,"code":"`+strings.Repeat("a", 40)+`"}`)).Kind)
	assert.Equal(t, openapi.Invalid, shape.Read([]byte(`{"n":1,"code":"`+tooMuch+`"}`)).Kind)
}

func TestAPatternIsReadAsECMA262Does(t *testing.T) {
	shape := patterned(t, `^\S+$`, `a`).Body.Shape
	assert.Equal(t, openapi.Invalid, shape.Read([]byte(`{"n":1,"code":"a\n"}`)).Kind, "$ is the end, not before a line end")
	assert.Equal(t, openapi.Invalid, shape.Read([]byte(`{"n":1,"code":"\uFEFF"}`)).Kind, "U+FEFF is white space")
}
