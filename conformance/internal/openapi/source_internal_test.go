package openapi

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestASchemaKnowsWhereItsKeywordsStandAndKeepsNoneThatNobodyAsksFor(t *testing.T) {
	var s Sources
	assert.True(t, s.Empty())
	for i := range 1000 {
		s.set("x-"+strconv.Itoa(i), "/a")
	}
	assert.False(t, s.Empty(), "it has keywords")
	assert.Empty(t, s.list)

	s.set("format", "/a")
	s.set("maxLength", "/a")
	s.set("format", "/b")
	assert.Equal(t, "/b/format", s.Of("format"), "the last place counts")
	assert.Empty(t, s.Of("minLength"))

	less := s.without("format")
	assert.False(t, less.Has("format"))
	assert.True(t, less.Has("maxLength"))
	assert.True(t, s.Has("format"), "the schema that it was copied from keeps it")
}
