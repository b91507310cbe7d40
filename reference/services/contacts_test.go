package services_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/reference/services"
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
			r := small(t, "contact.yaml", services.Contact(wrong))
			assert.ElementsMatch(t, requirement, tripped(r), shown(t, r))
		})
	}
}

func TestAServerThatRefusesAnOrdinaryTextOfAStatedFormatFails(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"":                 nil,
		`mail ^[a-z]+\.`:   {"get-contacts-query-mail-accepted", "post-contacts-valid-accepted"},
		`mail \+`:          {"get-contacts-query-mail-accepted", "post-contacts-valid-accepted"},
		`mail @.*\..*\.`:   {"get-contacts-query-mail-accepted", "post-contacts-valid-accepted"},
		`site :\d`:         {"post-contacts-body-site-accepted"},
		`site \?`:          {"post-contacts-body-site-accepted"},
		`site #`:           {"post-contacts-body-site-accepted"},
		`host -`:           {"post-contacts-body-host-accepted"},
		`address ^::1$`:    {"get-contacts-query-address-accepted", "post-contacts-body-address-accepted"},
		`opens [+-]\d\d:`:  {"post-contacts-body-opens-accepted"},
		`answers ^PT\d+M$`: {"post-contacts-body-answers-accepted"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "contacts.yaml", services.Contacts(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}
