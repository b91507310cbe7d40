package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

// Some servers trim what they read; Jackson does so for enums by default.
func TestAListedTextWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"kind":{"type":"string","enum":["adult","child"]},"op":{"const":"add"}}}`)
	kinds(t, s, map[string]openapi.Kind{
		`{"kind":"adult "}`: openapi.MayRefuse, `{"kind":"\tchild\r\n"}`: openapi.MayRefuse, `{"op":" add"}`: openapi.MayRefuse,
		`{"kind":"adults"}`: openapi.Invalid, `{"kind":"Adult"}`: openapi.Invalid, `{"kind":""}`: openapi.Invalid, `{"op":"a dd"}`: openapi.Invalid, `{"kind":"adult"}`: openapi.MustAccept,
	})
	assert.Equal(t, "a listed text with white space around it", s.Read([]byte(`{"kind":"adult "}`)).Reasons[0].What)
}

// JSON Schema warns of the escapes of expressions: engines differ (2020-12 Core, 6.4).
func TestALetterOfAnotherScriptMayBeTakenWhereAPatternHasAnEscapeForLetters(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"token":{"type":"string","pattern":"^tok_\\w+$"},"code":{"type":"string","pattern":"^[A-Za-z]+$"}}}`)
	kinds(t, s, map[string]openapi.Kind{
		`{"token":"tok_é"}`: openapi.MayRefuse, `{"token":"tok_é!"}`: openapi.Invalid, `{"token":"tok_!"}`: openapi.Invalid, `{"code":"é"}`: openapi.Invalid,
		`{"token":"tok_a"}`: openapi.MustAccept,
	})
}

// Validators that check dates with a simple expression take days and hours that do not exist.
func TestADateMayBeTakenWhoseDigitsAreOnlyALittleTooLarge(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"on":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]openapi.Kind{
		`{"on":"2024-02-30"}`: openapi.MayRefuse, `{"on":"2024-13-39"}`: openapi.MayRefuse, `{"on":"2024-20-01"}`: openapi.Invalid, `{"on":"2024-01-40"}`: openapi.Invalid,
		`{"at":"2024-01-01T25:00:00Z"}`: openapi.MayRefuse, `{"at":"2024-01-01T30:00:00Z"}`: openapi.Invalid, `{"at":"2024-01-01T00:60:00Z"}`: openapi.Invalid,
	})
}

// Pydantic and Joi remove white space before they look at an address.
func TestATextOfAFormatWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"email":{"type":"string","format":"email","maxLength":12},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]openapi.Kind{
		`{"email":" a@b.example"}`: openapi.MayRefuse, `{"at":"2024-01-01T00:00:00Z\n"}`: openapi.MayRefuse, `{"email":" a@ b.org"}`: openapi.Invalid,
		`{"email":" a"}`: openapi.Invalid, `{"email":" abcde@b.example"}`: openapi.Invalid, `{"email":" a@b.example","at":5}`: openapi.Invalid,
	})
}
