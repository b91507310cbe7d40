package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

// keysLike returns the keys that are sent for one that was given, by the way.
func keysLike(s *openapi.Schema, key string) map[string]string {
	out := map[string]string{}
	for _, l := range likes() {
		if !l.fits(s) {
			continue
		}
		if other := l.of(key); other != "" {
			out[l.name] = other
		}
	}
	return out
}

func TestAKeyIsChangedIntoOnesThatACarelessReadingTakesForIt(t *testing.T) {
	t.Parallel()
	whole, text := openapi.Schema{Types: []string{"integer"}}, openapi.Schema{Types: []string{"string"}}
	wallet, id := text, text
	wallet.Pattern, id.Format = "^wal_[0-9a-z]{12}$", "uuid"
	assert.Equal(t, map[string]string{"letters-behind": "10abc", "fraction": "10.7", "twice": "10,10", "past-32-bits": "4294967306", "past-64-bits": "18446744073709551626"},
		keysLike(&whole, "10"))
	assert.Equal(t, map[string]string{"text-behind": "wal_0123456789abwxyz", "last-letter": "wal_0123456789ac", "text-twice": "wal_0123456789ab,wal_0123456789ab", "other-case": "WAL_0123456789AB"},
		keysLike(&wallet, "wal_0123456789ab"))
	assert.Equal(t, map[string]string{"text-behind": "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1fwxyz", "last-letter": "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1a"},
		keysLike(&id, "0b1e5c2e-8d1f-4c3a-9a55-6f2f4d3c2a1f"), "the letters of a UUID have no case")
}

// What a right server may take for the key that it gave is not sent.
func TestAKeyThatSomeServersRightlyReadAsTheOtherIsLeftOut(t *testing.T) {
	t.Parallel()
	text := openapi.Schema{Types: []string{"string"}}
	for key, want := range map[string]map[string]string{
		"17":                   {},                                          // a library may read digits and pass over the rest
		"VXNlcjoxMjM0NTY3OA==": {},                                          // and what is behind a code in base 64
		"VXNlcjoxMjM0NTY3OTAx": {"text-behind": "VXNlcjoxMjM0NTY3OTAxwxyz"}, // whose last bits may mean nothing
		"ord-0000000000000012": {"text-behind": "ord-0000000000000012wxyz"}, // the next number may be in use
		"short":                {"text-behind": "shortwxyz"},
	} {
		assert.Equal(t, want, keysLike(&text, key), key)
	}
	for _, listed := range []openapi.Schema{{}, {Types: []string{"integer", "string"}}, {Types: []string{"number"}}} {
		assert.Empty(t, keysLike(&listed, "17"), "a schema that leaves open what a key is")
	}
	whole := openapi.Schema{Types: []string{"integer"}}
	assert.NotContains(t, keysLike(&whole, "-3"), "past-32-bits")
	assert.NotContains(t, keysLike(&whole, "0"), "past-32-bits")
}
