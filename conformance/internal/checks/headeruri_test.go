package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestAFieldThatIsAURIHasNoCharacterThatNoURIHas(t *testing.T) {
	for _, row := range []struct {
		format, value string
		want          bool
	}{
		{"uri-reference", "/tasks/1?a=b#c", false},
		{"uri-reference", " /tasks/1 ", false},
		{"uri-reference", "/tâches/1", false},
		{"uri-reference", "tasks|<new task>", true},
		{"uri", "https://example.com/a b", true},
		{"", "a b", false},
	} {
		h := &openapi.Header{Name: "Location", Shape: &openapi.Shape{Schema: &openapi.Schema{Format: row.format}}}
		assert.Equal(t, row.want, noURI(h, row.value), "%v", row)
	}
}
