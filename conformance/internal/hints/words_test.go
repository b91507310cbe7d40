package hints_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/hints"
)

func TestANameMeansWhatItsWholeWordsMean(t *testing.T) {
	for name, hidden := range map[string]bool{
		"password": true, "newPassword": true, "user_pin": true, "PIN": true, "card-number": true, "apiKey": true, "api_key": true, "tokens": true, "secretHash": true,
		"shipping": false, "monkey": false, "passenger": false, "passport": false, "discard": false, "pinned": false, "spinner": false,
	} {
		assert.Equal(t, hidden, hints.Means(name, hints.Hidden) || hints.Means(name, hints.Password), name)
	}
	assert.True(t, hints.Called("page_size", hints.Limit))
	assert.False(t, hints.Called("shoe_size", hints.Limit), "another word stands before it")
}
