package hints_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/hints"
)

func TestAStateThatAServerMayLeaveByItselfIsToldByItsWord(t *testing.T) {
	for state, want := range map[string]bool{"pending": true, "Queued": true, "running": true, "done": false, "open": false, "ing": false} {
		assert.Equal(t, want, hints.Passes(state), state)
	}
}

func TestNamesThatSuggestADisruptionAreFoundByWholeWords(t *testing.T) {
	for operation, word := range map[string]string{
		"POST|/admin/shutdown|":           "shutdown",
		"POST|/admin/stop|shutDownServer": "shutdown",
		"POST|/power|ServerPowerOff":      "poweroff",
		"PUT|/me/password|":               "password",
		"POST|/auth/log-out|":             "logout",
		"DELETE|/users/me|":               "me",
		"DELETE|/account|closeAccount":    "account",
		"PUT|/settings/maintenance_mode|": "maintenance",
		"GET|/session/logout|":            "logout",
		"GET|/password/reset|":            "",
		"GET|/reset-log|":                 "",
		"DELETE|/users/{id}|":             "",
		"DELETE|/users/{user}/profile|":   "",
		"GET|/me|":                        "",
		"POST|/presets|createPreset":      "",
		"POST|/skills|addSkill":           "",
	} {
		of := strings.Split(operation, "|")
		assert.Equal(t, word, hints.Disruption(of[0], of[1], of[2]), operation)
	}
}

func TestADescriptionSaysInWhichStatesAnOperationIsRefused(t *testing.T) {
	t.Parallel()
	bound := func(text, conflict string) *hints.StateBound {
		return hints.StatesOf([]hints.Text{{Said: text}}, []hints.Text{{Said: conflict}}, map[string]bool{"team": true})
	}
	polls := []string{"draft", "open", "closed"}
	for _, c := range []struct {
		text, conflict string
		values         []string
		was, is        string
		again          bool
		want           bool
	}{
		{"Moves a `draft` to `open`. Refused with 409 if the poll is not a draft, has fewer than two options, or has too few.", "", polls, "draft", "open", true, true},
		{"Moves an `open` poll to `closed`. Refused with 409 in every other state. Takes no body.", "", polls, "open", "closed", true, true},
		{"Moves an `open` poll to `closed`. Refused with 409 in every other state. Takes no body.", "", polls, "draft", "open", false, false},
		{"Moves an `open` poll to `closed` and sets `closed_at`. Refused with 409 in every other state.", "", polls, "draft", "closed", true, true},
		{"Only a `planned` trip can be started (`409`), and not while its vehicle is on another trip in progress (`409`).", "", []string{"planned", "in_progress", "completed"}, "planned", "completed", false, true},
		{"Only a `planned` trip can be started (`409`), and not while its vehicle is on another trip in progress (`409`).", "", []string{"planned", "in_progress", "completed"}, "planned", "in_progress", true, true},
		{"Makes a `draft` or `paused` posting `open`. A posting in another status is refused.", "", []string{"draft", "open", "paused"}, "draft", "open", true, true},
		{"`published` → `archived`.", "The plan is not published.", []string{"draft", "published", "archived"}, "draft", "archived", true, true},
		{"`draft` → `published`.", "The plan is no draft, or it has no entries.", []string{"draft", "published", "archived"}, "draft", "published", true, true},
		{"`published` → `archived`.", "The plan is not published.", []string{"draft", "published", "archived"}, "draft", "published", false, false},
		{"An appointment can be cancelled once; a further attempt is refused with `409`.", "", []string{"booked", "cancelled"}, "booked", "cancelled", true, true},
		{"An order cannot be cancelled once it is shipped (409).", "", []string{"new", "shipped", "cancelled"}, "new", "shipped", false, true},
		{"Makes a `draft` or `paused` posting `open`. A posting in another status is refused.", "", []string{"draft", "open", "paused", "closed"}, "draft", "closed", false, true},
		{"Makes a `draft` or `paused` posting `open`. A posting in another status is refused.", "", []string{"draft", "open", "paused", "closed"}, "draft", "paused", false, false},
		{"Publishes a posting. A posting in another status is refused.", "", []string{"draft", "open", "paused", "closed"}, "draft", "closed", false, false},
		{"A member can only be added to an `active` team (409).", "", []string{"active", "disabled"}, "active", "disabled", false, false},
		{"Only an `active` member can be added to a team (409).", "", []string{"active", "disabled"}, "active", "disabled", false, true},
		{"Only a trip `in_progress` can be completed (`409`).", "", []string{"planned", "in_progress", "completed"}, "in_progress", "completed", true, true},
		{"Gives the invoice its number.", "The invoice is not a draft.", []string{"draft", "issued", "paid", "void"}, "draft", "issued", true, true},
		{"There is no way back.", "The invoice is not issued, or payments were received for it.", []string{"draft", "issued", "paid", "void"}, "issued", "void", true, true},
		{"Only a `held` reservation can be confirmed; any other state is answered with `409`.", "", []string{"held", "confirmed", "cancelled"}, "held", "cancelled", false, true},
		{"A `held` or `confirmed` reservation can be cancelled until the event starts; otherwise `409`.", "", []string{"held", "confirmed", "cancelled"}, "confirmed", "cancelled", true, true},
		{"A `held` or `confirmed` reservation can be cancelled until the event starts; otherwise `409`.", "", []string{"held", "confirmed", "cancelled"}, "held", "confirmed", false, false},
		{"An appointment that is cancelled cannot be moved (`409`).", "", []string{"booked", "cancelled"}, "booked", "cancelled", false, true},
		{"An appointment that is not cancelled cannot be removed (`409`).", "", []string{"booked", "cancelled"}, "booked", "cancelled", false, false},
		{"Deletes a poll for good. An `open` poll has to be closed first (409).", "", polls, "draft", "open", false, true},
		{"Deletes a poll for good. An `open` poll has to be closed first (409).", "", polls, "draft", "closed", false, false},
		{"Deletes a poll for good. An `open` poll has to be closed first (409).", "", polls, "open", "closed", false, false},
		{"Only an open poll counts.", "", polls, "open", "closed", false, false},
		{"Only the owner of a draft can publish it.", "", polls, "draft", "open", true, false},
		{"Publishes a draft.", "The poll is already open.", polls, "draft", "open", true, true},
		{"Publishes a draft.", "The request clashes with the present state.", polls, "draft", "open", true, false},
		{"Schedules a `draft` or `scheduled` campaign. Refused in another state (409).", "", []string{"draft", "scheduled", "sent"}, "draft", "scheduled", true, false},
	} {
		b := bound(c.text, c.conflict)
		assert.Equal(t, c.want, b.RefusedIn(c.values, c.was, c.is, c.again) != "", "%s / %s: %s, then %s", c.text, c.conflict, c.was, c.is)
	}
}

func TestANameMeansWhatItsWholeWordsMean(t *testing.T) {
	for name, hidden := range map[string]bool{
		"password": true, "newPassword": true, "user_pin": true, "PIN": true, "card-number": true, "apiKey": true, "api_key": true, "tokens": true, "secretHash": true,
		"shipping": false, "monkey": false, "passenger": false, "passport": false, "discard": false, "pinned": false, "spinner": false,
	} {
		assert.Equal(t, hidden, hints.Means(name, hints.Hidden) || hints.Means(name, hints.Password), name)
	}
	assert.True(t, hints.Called("page_size", hints.Limit))
	assert.False(t, hints.Called("shoe_size", hints.Limit), "another word stands before it")
}
