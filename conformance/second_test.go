package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestADocumentTooLargeForLibopenapiIsNotGivenToIt(t *testing.T) {
	s := &setup{config: Config{Spec: make([]byte, secondBytes+1)}}
	ask, err := s.second()
	assert.Nil(t, ask)
	assert.EqualError(t, err, "the document is larger than 1 MiB")
}
