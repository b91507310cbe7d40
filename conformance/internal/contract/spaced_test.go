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

// JSON Schema warns of the escapes of expressions: engines differ (2020-12 Core, 6.4).
func TestALetterOfAnotherScriptMayBeTakenWhereAPatternHasAnEscapeForLetters(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"token":{"type":"string","pattern":"^tok_\\w+$"},"code":{"type":"string","pattern":"^[A-Za-z]+$"}}}`)
	kinds(t, s, map[string]contract.Kind{
		`{"token":"tok_é"}`: contract.MayRefuse, `{"token":"tok_é!"}`: contract.Invalid, `{"token":"tok_!"}`: contract.Invalid, `{"code":"é"}`: contract.Invalid,
		`{"token":"tok_a"}`: contract.MustAccept,
	})
}

// Validators that check dates with a simple expression take days and hours that do not exist.
func TestADateMayBeTakenWhoseDigitsAreOnlyALittleTooLarge(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"on":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]contract.Kind{
		`{"on":"2024-02-30"}`: contract.MayRefuse, `{"on":"2024-13-39"}`: contract.MayRefuse, `{"on":"2024-20-01"}`: contract.Invalid, `{"on":"2024-01-40"}`: contract.Invalid,
		`{"at":"2024-01-01T25:00:00Z"}`: contract.MayRefuse, `{"at":"2024-01-01T30:00:00Z"}`: contract.Invalid, `{"at":"2024-01-01T00:60:00Z"}`: contract.Invalid,
	})
}

// Pydantic and Joi remove white space before they look at an address.
func TestATextOfAFormatWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"email":{"type":"string","format":"email","maxLength":12},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]contract.Kind{
		`{"email":" a@b.example"}`: contract.MayRefuse, `{"at":"2024-01-01T00:00:00Z\n"}`: contract.MayRefuse, `{"email":" a@ b.org"}`: contract.Invalid,
		`{"email":" a"}`: contract.Invalid, `{"email":" abcde@b.example"}`: contract.Invalid, `{"email":" a@b.example","at":5}`: contract.Invalid,
	})
}
