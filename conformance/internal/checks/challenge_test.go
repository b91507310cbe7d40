package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

func TestADocumentedRefusalOfTheBodyAnswersAWrongCredentialToo(t *testing.T) {
	for name, x := range map[string]struct {
		body   string
		status int
		path   string
		want   report.Verdict
	}{
		"a body to refuse":                 {noName, 422, "/plants", report.Pass},
		"a right body":                     {baseline, 422, "/plants", report.Fail},
		"a body to refuse, not documented": {noName, 418, "/plants", report.Fail},
		"a hidden thing":                   {baseline, 404, "/plants/{id}", report.Pass},
		"nothing to hide":                  {baseline, 404, "/plants", report.Fail},
	} {
		p := refused(x.body).by(message.CredentialAbsent).as(x.status).pass(t, requirement.Args{})
		p.Op.Path = x.path
		if x.status != 418 {
			p.Got.Documented = p.Op.Response(400)
		}
		assert.Equal(t, x.want, challenge.Check(p).Verdict, name)
	}
}
