package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
	"plantstore/spec"
)

func TestARefusalLikeThatOfARepeatIsKnownWhateverItNames(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	op := c.Operations[0]
	refused := func(message string) *rule.Answer {
		return &rule.Answer{Status: 400, Reading: op.Response(400).Media[0].Shape.Read([]byte(`{"error":409,"message":"` + message + `"}`))}
	}
	sent := &message.Sent{Body: op.Body.Shape.Read([]byte(`{"id":18462031,"name":"b4zkqvxw2n"}`))}
	for _, row := range []struct{ first, other, unlike string }{
		{"is used by another plant", "is used by another plant", "is too long"},
		{"id 18462031 is taken", "id 5 is taken", "id 5 is wrong"},
		{"name 'b4zkqvxw2n' exists", "name 'name' exists", "name 'name' is bad"},
		{"Key (name)=(b4zkqvxw2n) already exists.", "Key (name)=(message) already exists.", "Key (tag)=(x) already exists."},
		{"b4zkqvxw2n exists already (request 7f81d4fae-7dec-11d0)", "O''Brien exists already (request 0a11)", "O'Brien is odd (request 0a11)"},
	} {
		l := FormOf(op, sent, refused(row.first))
		assert.True(t, l.Fits(refused(row.other)), row.other)
		assert.False(t, l.Fits(refused(row.unlike)), row.unlike)
	}
	numbered := func(number string) *rule.Answer {
		return &rule.Answer{Status: 400, Reading: op.Response(400).Media[0].Shape.Read([]byte(`{"error":` + number + `,"message":"x"}`))}
	}
	assert.True(t, FormOf(op, sent, numbered("-1861234")).Fits(numbered("90817")), "a hash may be negative")
	none := FormOf(op, sent, &rule.Answer{Status: 409})
	assert.True(t, none.Fits(&rule.Answer{Status: 409}), "two answers without a body are alike")
	assert.False(t, none.Fits(refused("x")))
}
