package services_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/reference/services"
)

func TestAServerThatFailsAtAnUnusualPathQueryOrFormIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"":                                nil,
		"refuses a parameter twice":       nil,
		"fails at a parameter twice":      {"get-tickets-answered"},
		"fails at many digits":            {"get-tickets-id-answered"},
		"fails at NUL":                    {"get-tickets-id-answered"},
		"fails at long segments":          {"get-tickets-id-answered"},
		"reads 12abc":                     {"get-tickets-id-path-id-integer"},
		"422 for a wrong id":              {"get-tickets-id-404-status"},
		"fails without a boundary":        {"post-notes-answered"},
		"takes a body without a boundary": {"post-notes-body-json"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "tickets.yaml", services.Tickets(wrong))
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}
