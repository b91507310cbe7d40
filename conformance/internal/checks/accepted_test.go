package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
)

func TestARequestWithoutABodyThatIsSentInPiecesHasToBeAccepted(t *testing.T) {
	p := &rule.Input{Requirement: &requirement.Requirement{}, Sent: &message.Sent{Cut: true}, Got: &rule.Answer{Status: 204}}
	assert.Equal(t, rule.Passed, accepted.Check(p))
}

func TestAValueInsideAnOptionalMemberIsWhatAnAcceptedRequestIsAbout(t *testing.T) {
	for _, c := range []struct {
		unusual []string
		about   string
	}{
		{[]string{"/rules"}, "/rules"},
		{[]string{"/rules", "/rules/*/kind"}, "/rules/*/kind"},
		{[]string{"/rules", "/rules/*/kind", "/rules/*/at"}, ""},
		{[]string{"/a", "/b"}, ""},
		{[]string{"/a", "/ab"}, ""},
	} {
		p := &rule.Input{Requirement: &requirement.Requirement{}, Sent: &message.Sent{Body: &openapi.Reading{Unusual: c.unusual}}}
		assert.Equal(t, c.about, subject(p), c.unusual)
	}
}
