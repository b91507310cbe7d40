package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestAnswersWithTheSameSchemaAreNamedTogether(t *testing.T) {
	answer := func(status, schema string) *openapi.Response {
		r := &openapi.Response{Status: status}
		if schema != "" {
			r.Media = []openapi.Media{{Shape: &openapi.Shape{Schema: &openapi.Schema{Name: schema}}}}
		}
		return r
	}
	for want, list := range map[string][]*openapi.Response{
		"a client error":                         nil,
		"400":                                    {answer("400", "")},
		"400 or 404":                             {answer("400", ""), answer("404", "")},
		"400 with an Error or 404":               {answer("400", "Error"), answer("404", "")},
		"400, 404 or 422 with an Error":          {answer("400", "Error"), answer("404", "Error"), answer("422", "Error")},
		"400 with an Error or 422 with a Report": {answer("400", "Error"), answer("422", "Report")},
	} {
		assert.Equal(t, want, statuses(list, "a client error"))
	}
}
