package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestADocumentTooLargeForLibopenapiIsNotGivenToIt(t *testing.T) {
	s := &setup{contract: &openapi.Contract{Size: secondBytes + 1}}
	ask, err := s.second()
	assert.Nil(t, ask)
	assert.EqualError(t, err, "the document is larger than 1 MiB")
}
