package generate

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/pattern"
)

func TestBaselineTextsMatchPatternsThatOnlyECMA262Knows(t *testing.T) {
	for _, text := range []string{`^(?=.*[A-Z])(?=.*\d).{8,12}$`, `^(?!0)\d{4}$`, `^\u0041\cJ?$`, `^a\/b$`, `^[^]{3}$`, `^[\w-\.]{5}$`} {
		p, err := pattern.Compile(text)
		assert.NoError(t, err)
		g := &Gen{Op: &contract.Operation{}, Rand: rand.New(rand.NewSource(1))}
		for range 20 {
			made, ok := g.matching(text, nil, nil)
			if assert.True(t, ok, text) {
				assert.Equal(t, pattern.Yes, p.Match(made), "%s made %q", text, made)
			}
		}
	}
}
