package mutate_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

const uuids = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/orders/{id}": {get: {parameters: [
  {name: id, in: path, required: true, schema: {type: string, format: uuid}},
  {name: customer, in: query, schema: {type: string, format: uuid}},
  {name: X-Request, in: header, schema: {type: string, format: uuid}}],
  responses: {"200": {description: d}, "400": {description: d}}}}}}`

// A pattern such as ^[0-9a-f-]{36}$ takes more than UUIDs, and refuses all that have another
// length or another letter.
func TestAUUIDParameterIsSentWithADigitInPlaceOfAHyphen(t *testing.T) {
	loosely := regexp.MustCompile(`^[0-9a-f-]{36}$`)
	broken := map[string]bool{}
	for _, m := range lastOf(t, uuids, "gate", 100) {
		r := m.Reading()
		if r == nil || len(r.Violations) != 1 || r.Violations[0].Keyword != "format" {
			continue
		}
		place := r.Violations[0].Path
		if v := m.At(place); v != nil && loosely.MatchString(v.Text) {
			broken[place] = true
		}
	}
	assert.Len(t, broken, 3, "%v", broken)
}
