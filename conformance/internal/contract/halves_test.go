package contract_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
)

func TestADescriptionSaysWhichHalfOfABasicCredentialIsNotLookedAt(t *testing.T) {
	for said, want := range map[string][2]bool{
		"Any user name; an API key as the password.":                               {true, false},
		"Use any string as the username and your API key as the password.":         {true, false},
		"The user name is ignored.":                                                {true, false},
		"Provide the key as the user name. You do not need to provide a password.": {false, true},
		"The key is the user name, with an empty password.":                        {false, true},
		"User name and password of the account.":                                   {false, false},
		"":                                                                         {false, false},
	} {
		c, err := contract.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.0.3, info: {title: t, version: "1"}, security: [{b: []}], components: {securitySchemes: {b: {type: http, scheme: basic, description: %q}}},
  paths: {/a: {get: {responses: {"200": {description: d}}}}}}`, said))
		require.NoError(t, err)
		s := c.Operations[0].Security[0][0]
		assert.Equal(t, want, [2]bool{s.AnyUser, s.AnyPassword}, said)
	}
}
