package message

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

func TestWhatTheUserPutsIntoEveryRequestMakesNoHeadLarge(t *testing.T) {
	long := strings.Repeat("x", 9000)
	op := &openapi.Operation{Security: [][]*openapi.Scheme{{{Type: "http", HTTP: "bearer", Given: true}}}}
	e := &Endpoint{Token: long, Headers: []exchange.Field{{Name: "X-Own", Value: long}, {Name: "X-Tag", Value: "a"}, {Name: "X-Tag", Value: "b"}}}
	fields := append([]exchange.Field{{Name: "Host"}, {Name: "User-Agent", Value: "u"}, {Name: "Authorization", Value: "Bearer " + long}}, e.Headers...)
	large := func(fields []exchange.Field, more int) bool {
		return slices.Contains(e.transport(op, fields, 2*9000+200+more, nil), "large head")
	}
	assert.Empty(t, e.transport(op, fields, 2*9000+200, nil))
	assert.True(t, large(fields, 9000))
	assert.True(t, large(append(fields[:2:2], exchange.Field{Name: "X-Other", Value: long}), 0), "a field of the suite")
	e.Token = "short"
	assert.True(t, large(fields, 0), "a credential that is longer than the user's")
}

func TestAFieldThatComesTwiceMayBeRefused(t *testing.T) {
	op := &openapi.Operation{}
	e := &Endpoint{Headers: []exchange.Field{{Name: "X-Tag", Value: "a"}}}
	fields := []exchange.Field{{Name: "Host"}, {Name: "User-Agent", Value: "u"}}
	assert.Empty(t, e.transport(op, append(fields[:2:2], e.Headers[0], e.Headers[0]), 100, nil), "the user sends it")
	assert.Equal(t, []string{"field host twice"}, e.transport(op, append(fields[:2:2], fields[0]), 100, nil), "RFC 9112, 3.2")
	assert.Equal(t, []string{"field user-agent twice"}, e.transport(op, append(fields[:2:2], fields[1]), 100, nil))
}

func TestABodyThatCannotBeDecidedMayBeAcceptedOrRefused(t *testing.T) {
	assert.Equal(t, Either, (&Sent{Body: &openapi.Reading{Kind: openapi.Undecided}}).Expectation())
	assert.Equal(t, Anything, (&Sent{Body: &openapi.Reading{Kind: openapi.Undecided}, Transport: []string{"query"}}).Expectation())
}
