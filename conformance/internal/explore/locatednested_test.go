package explore_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

func TestALocationBelowTheRequestIsNoLongerPrefixOfTheOwnAddress(t *testing.T) {
	text := document(path("/books/{bookId}/loans", "integer", operation("post", "lend", named, "201", identified)),
		path("/loans/{loanId}", "integer", operation("get", "getLoan", "", "200", identified)))
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err)
	at, err := exchange.ParseTarget("http://shop.example:8080/api")
	require.NoError(t, err)
	to := explore.New(explore.Options{Endpoint: &message.Endpoint{Target: at}})
	lend := generate.New(c.Operations[0], 1, generate.Identity{}, 0).Baseline()
	lend.Set("path/bookId", jsontree.NewNumber("5"))
	for location, want := range map[string]string{
		"/api/books/5/loans/7": "/api/books/5/loans/7",
		"/api/loans/7":         "",
		"/gate/api/loans/7":    "",
	} {
		get := generate.New(c.Operations[1], 1, generate.Identity{}, 0).Baseline()
		get.Set("path/loanId", jsontree.NewNumber("7"))
		made := &exchange.Exchange{Response: &exchange.Response{Status: 201, Fields: []exchange.Field{{Name: "Location", Value: location}}}}
		assert.Equal(t, want, to.Located(explore.MadeBy(lend, made), get), location)
	}
}

func TestTheLocationOfA202CountsWhereItEndsWithTheKey(t *testing.T) {
	assert.Equal(t, "/api/v1/person/7", located(t, 202, "/api/v1/person/7"))
	assert.Empty(t, located(t, 202, "/api/v1/users/8"), "it may be that of a job")
}
