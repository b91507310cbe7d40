package auth

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheLastCharacterIsChangedInABitThatIsNoPadding(t *testing.T) {
	for size := 1; size < 40; size++ {
		raw := make([]byte, size)
		for i := range raw {
			raw[i] = byte(37 * (i + size))
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			token := enc.EncodeToString(raw)
			got := lastChanged(token)
			assert.Len(t, got, len(token))
			assert.Equal(t, token[:len(token)-1], got[:len(got)-1])
			other, err := base64.RawStdEncoding.DecodeString(got)
			if err != nil {
				other, _ = base64.RawURLEncoding.DecodeString(got)
			}
			assert.NotEqual(t, raw, other, token)
		}
	}
	assert.Empty(t, lastChanged(""))
	assert.Equal(t, "abc=", lastChanged("abc="), "what is no digit of base64 stays")
}
