package rules

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
)

func TestARequestWithoutABodyThatIsSentInPiecesHasToBeAccepted(t *testing.T) {
	p := &rule.Input{Requirement: &requirement.Requirement{}, Sent: &request.Sent{Cut: true}, Got: &rule.Answer{Status: 204}}
	assert.Equal(t, rule.Passed, accepted.Check(p))
}
