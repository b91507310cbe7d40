package explore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// tagged is a baseline request with a tag.
func (s scene) tagged(tag string) *message.Message {
	m := s.baseline()
	m.Set("/tag", jsontree.NewString(tag))
	return m
}

// Which tags are accepted is open. One that was accepted twice must be accepted again.
func TestAValueThatWasAcceptedTwiceMustBeAcceptedAgain(t *testing.T) {
	script(t, conforming, func(s scene) {
		f := s.learn()
		s.LearnValues(s.t.Context())
		require.NotNil(t, f.Of(s.Op()).Known["/tag"])
		m := s.tagged("another")
		assert.Equal(t, openapi.MayRefuse, m.Reading().Kind)
		f.Of(s.Op()).UseKnown(m)
		assert.Equal(t, f.Of(s.Op()).Known["/tag"].Text, m.At("/tag").Text)
		assert.Equal(t, openapi.MustAccept, m.Reading().Kind)

		odd := s.tagged("another")
		odd.Set("/id", jsontree.NewNumber("0"))
		f.Of(s.Op()).UseKnown(odd)
		assert.Equal(t, "another", odd.At("/tag").Text, "it may be refused for its id too")
	})
}

func TestAValueThatIsTakenOnlyOnceIsNotKnown(t *testing.T) {
	tags := 0
	once := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if strings.Contains(string(c.Request.Body), `"tag"`) {
			if tags++; tags > 1 {
				return refusal()
			}
		}
		return d.Conforming(c.Request)
	}
	script(t, once, func(s scene) {
		f := s.learn()
		tags = 0
		s.LearnValues(s.t.Context())
		assert.Empty(t, f.Of(s.Op()).Known)
	})
}

func TestAKnownValueIsForgottenWhereBaselineRequestsWithItAreRefused(t *testing.T) {
	refused := false
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if refused {
			return refusal()
		}
		return d.Conforming(c.Request)
	}
	script(t, serve, func(s scene) {
		f := s.learn()
		s.LearnValues(s.t.Context())
		m := s.tagged("x")
		f.Of(s.Op()).UseKnown(m)
		session := s.Session()
		defer session.Close()
		assert.True(t, s.KeepsKnown(s.t.Context(), session, m))
		refused = true
		assert.False(t, s.KeepsKnown(s.t.Context(), session, m))
		assert.True(t, s.KeepsKnown(s.t.Context(), session, s.baseline()), "it has no such value")
	})
}
