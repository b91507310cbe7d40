package request

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAPathWithAnEncodedLetterIsTheSamePath(t *testing.T) {
	for path, want := range map[string]string{"/plants": "/%70lants", "/1/Zoo%20s": "/1/%5Aoo%20s", "/": "/", "/%2F1": "/%2F1", "/%2Fa": "/%2F%61"} {
		assert.Equal(t, want, encoded(path), path)
	}
	for path, want := range map[string]string{"/%70lants": "/plants", "/%5aoo": "/Zoo", "/%2Fa%5B%7E%20": "/%2Fa%5B%7E%20", "/%4": "/%4", "/%x1": "/%x1"} {
		assert.Equal(t, want, decoded(path), path)
	}
}
