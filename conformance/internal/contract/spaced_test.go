package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
)

// Some servers trim what they read; Jackson does so for enums by default.
func TestAListedTextWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"kind":{"type":"string","enum":["adult","child"]},"op":{"const":"add"}}}`)
	kinds(t, s, map[string]contract.Kind{
		`{"kind":"adult "}`: contract.MayRefuse, `{"kind":"\tchild\r\n"}`: contract.MayRefuse, `{"op":" add"}`: contract.MayRefuse,
		`{"kind":"adults"}`: contract.Invalid, `{"kind":"Adult"}`: contract.Invalid, `{"kind":""}`: contract.Invalid, `{"op":"a dd"}`: contract.Invalid, `{"kind":"adult"}`: contract.MustAccept,
	})
	assert.Equal(t, "a listed text with white space around it", s.Read([]byte(`{"kind":"adult "}`)).Reasons[0].What)
}
