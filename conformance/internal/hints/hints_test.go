package hints

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// anyText is a schema that takes all texts.
func anyText(string) bool { return true }

// matching is a schema with a pattern.
func matching(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }

func TestTheNameTheExamplesOrTheProseTellTheKind(t *testing.T) {
	for name, row := range map[string]struct {
		hints CodeHints
		kind  string
	}{
		"a name and a pattern":           {CodeHints{Name: "currency", Pattern: true, Accepts: matching(`^[A-Z]{3}$`)}, "currency code (ISO 4217)"},
		"the end of a name":              {CodeHints{Name: "billing_country_code", Short: true, Accepts: anyText}, "country code (ISO 3166-1)"},
		"a sentence":                     {CodeHints{Name: "lang", Prose: "A BCP 47 tag.", Accepts: anyText}, "language tag (BCP 47)"},
		"an example":                     {CodeHints{Name: "opens", Examples: []string{"09:30"}, Accepts: anyText}, "time in the form HH:MM"},
		"a pattern of dates":             {CodeHints{Name: "day", Pattern: true, Accepts: matching(`^\d{4}-\d{2}-\d{2}$`)}, "date in the form YYYY-MM-DD"},
		"a pattern of times":             {CodeHints{Name: "at", Pattern: true, Accepts: matching(`^([01]\d|2[0-3]):[0-5]\d$`)}, "time in the form HH:MM"},
		"a sure name":                    {CodeHints{Name: "contactEmail", Accepts: anyText}, "email address"},
		"a name with a plural":           {CodeHints{Name: "phones", Accepts: anyText}, "phone number (E.164)"},
		"a list in the description":      {CodeHints{Name: "state", Prose: "One of `open`, `done`.", Accepts: anyText}, "value that the description lists"},
		"a list without quotes":          {CodeHints{Name: "state", Prose: "Possible values: open, done or late.", Accepts: anyText}, "value that the description lists"},
		"no hint":                        {CodeHints{Name: "title", Prose: "The title of the page.", Accepts: anyText}, ""},
		"a name without a bound":         {CodeHints{Name: "country", Accepts: anyText}, ""},
		"an example of another form":     {CodeHints{Name: "country", Short: true, Examples: []string{"Germany"}, Accepts: anyText}, ""},
		"a pattern of any digits":        {CodeHints{Name: "number", Pattern: true, Accepts: matching(`^[0-9-]+$`)}, ""},
		"a pattern that no text matches": {CodeHints{Name: "currency", Pattern: true, Accepts: matching(`^[0-9]{3}$`)}, ""},
		"a sentence that lists nothing":  {CodeHints{Name: "owner", Prose: "One of the people who work here, mostly.", Accepts: anyText}, ""},
		"a rule for other members":       {CodeHints{Name: "password", Prose: "Of the database.", Accepts: anyText}, ""},
		"a rule for passwords":           {CodeHints{Name: "password", Prose: "At least one upper-case letter and a digit.", Accepts: anyText}, "strong password"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, row.kind, NewCatalogue().Of(row.hints).String())
		})
	}
}

func TestTheFirstFormThatTheSchemaAndTheExamplesAllowCounts(t *testing.T) {
	for _, row := range []struct {
		hints CodeHints
		text  string
	}{
		{CodeHints{Name: "currency", Pattern: true, Accepts: matching(`^[a-z]{3}$`)}, "eur"},
		{CodeHints{Name: "country", Prose: "ISO 3166-1 alpha-3", Accepts: func(s string) bool { return len(s) == 3 }}, "DEU"},
		{CodeHints{Name: "locale", Examples: []string{"en_GB"}, Accepts: anyText}, "de_DE"},
		{CodeHints{Name: "region", Prose: "ISO 3166-2 code", Accepts: anyText}, "US-CA"},
	} {
		c := NewCatalogue().Of(row.hints)
		require.NotNil(t, c, row.text)
		assert.True(t, c.Valid(row.text), row.text)
	}
}

func TestDrawnTextsAreValidAndOthersAreNot(t *testing.T) {
	for _, k := range slices.Concat(NewCatalogue().texts, NewCatalogue().eras["date"], NewCatalogue().eras["date-time"]) {
		c := k.of(CodeHints{Accepts: anyText})
		if c == nil {
			assert.True(t, k.fixed, "%s has no texts, and needs examples", k.name)
			continue
		}
		for n := range int64(2000) {
			text := c.Draw(n * 104729)
			assert.True(t, c.Valid(text), "%s: %s", k.name, text)
			assert.Regexp(t, k.form, text, k.name)
		}
		for _, text := range []string{"", "植物", "no such text", strings.Repeat("x", 70)} {
			assert.False(t, c.Valid(text), "%s: %q", k.name, text)
		}
	}
}

func TestCheckDigitsAreThoseOfTheStandards(t *testing.T) {
	for _, text := range []string{"4006381333931", "9783161484100", "036000291452", "96385074"} {
		assert.True(t, retailDigit(text), text)
		assert.False(t, retailDigit("1"+text[1:]), text)
	}
	for _, text := range []string{"DE89370400440532013000", "GB82WEST12345698765432"} {
		assert.True(t, isIBAN(text), text)
		assert.False(t, isIBAN(text[:len(text)-1]+"9"), text)
	}
	for _, text := range []string{"1M8GDM9AXKP042788", "11111111111111111"} {
		assert.True(t, vehicleDigit(text), text)
	}
	assert.False(t, vehicleDigit("1M8GDM9A1KP042788"))
	assert.True(t, luhnDigit("4111111111111111"))
	assert.True(t, luhnDigit("490154203237518"))
	assert.False(t, luhnDigit("4111111111111112"))
}

func TestATelephoneNumberIsLikeTheExample(t *testing.T) {
	c := NewCatalogue().Of(CodeHints{Name: "phone", Examples: []string{"+49 30 901820"}, Accepts: anyText})
	assert.Equal(t, "+49 30 901007", c.Draw(7))
	assert.True(t, c.Valid("+49 30 901999"))
	assert.False(t, c.Valid("+49 31 901999"))
}

func TestDatesLieInTheEraThatTheDocumentTells(t *testing.T) {
	for _, row := range []struct {
		hints         CodeHints
		valid, others string
	}{
		{CodeHints{Name: "birthDate", Format: "date", Accepts: anyText}, "1984-02-29", "2061-01-01"},
		{CodeHints{Name: "valid_until", Format: "date-time", Accepts: anyText}, "2045-02-28T10:00:00Z", "2001-01-01T10:00:00Z"},
		{CodeHints{Name: "day", Prose: "Not before today (422).", Format: "date", Accepts: anyText}, "2045-02-28", "2001-01-01"},
		{CodeHints{Name: "day", Prose: "Neither in the future nor before 1900-01-01.", Format: "date", Accepts: anyText}, "1984-02-29", "2061-01-01"},
		{CodeHints{Name: "day", Prose: "Sundays are refused.", Format: "date", Examples: []string{"2031-06-30"}, Accepts: anyText}, "2031-06-30", "2031-06-29"},
	} {
		c := NewCatalogue().Of(row.hints)
		require.NotNil(t, c, row.hints)
		assert.True(t, c.Valid(row.valid), row.valid)
		assert.True(t, c.Valid(c.Draw(77)), c.Draw(77))
		assert.False(t, c.Valid(row.others), row.others)
	}
	assert.Nil(t, NewCatalogue().Of(CodeHints{Name: "day", Format: "date", Examples: []string{"2031-06-30"}, Accepts: anyText}))
	assert.Nil(t, NewCatalogue().Of(CodeHints{Name: "sku", Prose: "Unique; others are refused with 422.", Examples: []string{"A-1"}, Accepts: anyText}), "the example may be taken")
}

func TestAPostalCodeIsThatOfTheExampleIfThereIsOne(t *testing.T) {
	c := NewCatalogue().Of(CodeHints{Name: "postal_code", Examples: []string{"SW1A 1AA"}, Accepts: anyText})
	assert.Equal(t, "SW1A 1AA", c.Draw(3))
	assert.Regexp(t, `^\d{5}$`, NewCatalogue().Of(CodeHints{Name: "zip", Accepts: anyText}).Draw(3))
}

func TestADateThatMustNotBeInThePastLiesInTheFuture(t *testing.T) {
	for prose, want := range map[string]string{
		"It must not be in the past.": "date in the future", "It cannot be in the past.": "date in the future", "It lies in the past.": "date in the past",
		"It may never be in the future.": "date in the past", "It must be in the future.": "date in the future", "The first day.": "",
	} {
		code := NewCatalogue().Of(CodeHints{Name: "day", Format: "date", Prose: prose, Accepts: func(string) bool { return true }})
		assert.Equal(t, want, code.String(), prose)
	}
}

func TestAStateThatAServerMayLeaveByItselfIsToldByItsWord(t *testing.T) {
	for state, want := range map[string]bool{"pending": true, "Queued": true, "running": true, "done": false, "open": false, "ing": false} {
		assert.Equal(t, want, Passes(state), state)
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
		assert.Equal(t, word, Disruption(of[0], of[1], of[2]), operation)
	}
}

func TestADescriptionSaysInWhichStatesAnOperationIsRefused(t *testing.T) {
	t.Parallel()
	bound := func(text, conflict string) *StateBound {
		return StatesOf([]Text{{Said: text}}, []Text{{Said: conflict}}, map[string]bool{"team": true})
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
		assert.Equal(t, hidden, Means(name, Hidden) || Means(name, Password), name)
	}
	assert.True(t, Called("page_size", Limit))
	assert.False(t, Called("shoe_size", Limit), "another word stands before it")
}

func TestTheValuesThatARefusalListsAreRead(t *testing.T) {
	for said, want := range map[string][]string{
		`invalid Model.SchemaVersion: value must be in list [1.0 1.1 1.2]`: {"1.0", "1.1", "1.2"},
		`kind must be one of the following values: oak, elm`:               {"oak", "elm"},
		`Input should be 'oak', 'elm' or 'ash'`:                            {"oak", "elm", "ash"},
		`Invalid enum value. Expected 'oak' | 'elm', received 'x'`:         {"oak", "elm", "x"},
		`"kind" must be one of [oak, dwarf elm]`:                           {"oak", "dwarf elm"},
		"unknown variant `x`, expected `oak` or `elm`":                     {"oak", "elm"},
		`not one of the values accepted for Enum class: [OAK, ELM]`:        {"OAK", "ELM"},
		`unknown kind "x" (valid kinds are oak, elm)`:                      {"oak", "elm"},
		`unknown kind "x", expected one of oak, elm`:                       {"oak", "elm"},
		`allowed values: ["oak","elm"]`:                                    {"oak", "elm"},
		`kind must be a string`:                                            nil,
		`kind must be a valid date, such as today, or left out`:            nil,
		`kind is required`:                                                 nil,
		``:                                                                 nil,
	} {
		assert.Equal(t, want, Choices(said), said)
	}
}
