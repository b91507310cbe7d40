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
