package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// A message may quote bytes that are no UTF-8 and half a pair of escapes, but cuts no
// whole character.
func TestHalfACharacterInTheAnswerToWholeOnesIsTheServersOwn(t *testing.T) {
	for body, want := range map[string]report.Verdict{"植": report.Fail, "\"\xE6\xA4": report.Pass, `"\ud83d`: report.Pass} {
		x := refused(body)
		x.came = "{\"error\":400,\"message\":\"\xE6\xA4\"}"
		p := x.pass(t, requirement.Args{Statuses: []string{"400"}})
		p.Exchange.Request = &exchange.Request{Body: []byte(body)}
		assert.Equal(t, want, answerJSON.Check(p).Verdict, "%q", body)
	}
}
