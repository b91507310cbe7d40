package diagnose

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/report"
)

// staff are people who cannot be removed while somebody else is paid.
const staff = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
/people: {post: {operationId: hire, responses: {"201": {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}},
"/people/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
  delete: {operationId: remove, responses: {"204": {description: d}, "409": {description: d}, "404": {description: d}}}}}}`

// removing answers as staff says, and refuses the deletions whose numbers are given, counted from 1.
func removing(status int, refused func(n int) bool) fake.Server {
	hired, removed := 0, 0
	return func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("POST")) {
			hired++
			return fake.Answer(201, "application/json", fmt.Sprintf(`{"id":%d}`, hired))
		}
		removed++
		if refused(removed) {
			return fake.Answer(status, "", "")
		}
		return fake.Answer(204, "", "")
	}
}

func TestARefusalForTheStateThatOthersLeftIsNoFailureIfTheCasePassesAlone(t *testing.T) {
	const accepted = "delete-people-id-valid-accepted"
	doc := func() *fake.Document { return fake.Of(t, staff, fakerun.Mutators(t, "baseline")...) }
	d := diagnose(t, doc(), removing(409, func(n int) bool { return n == 12 }))
	assert.Empty(t, d.failed())
	assert.Equal(t, report.Pass, d.results[accepted].Verdict)
	d = diagnose(t, doc(), removing(409, func(n int) bool { return n >= 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "it does not pass alone")
	d = diagnose(t, doc(), removing(404, func(n int) bool { return n == 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "nobody else knows the thing that was made for the case")
	d = diagnose(t, doc(), removing(403, func(n int) bool { return n == 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "the document does not list it")
}
