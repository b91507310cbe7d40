package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
)

func TestARedirectThatIsTheOnlySuccessAcceptsARequest(t *testing.T) {
	t.Parallel()
	for wrong, requirement := range map[string][]string{
		"":          nil,
		"age least": {"post-contact-body-age-minimum"},
		"age most":  {"post-contact-body-age-maximum"},
		"topic":     {"post-contact-body-required", "post-contact-body-topic-required", "post-contact-body-topic-enum"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "contact.yaml", otherservers.Contact(wrong))
			assert.ElementsMatch(t, requirement, tripped(r), shown(t, r))
		})
	}
}
