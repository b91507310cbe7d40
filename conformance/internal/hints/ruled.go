package hints

import (
	"fmt"
	"regexp"
	"time"
)

// Words of descriptions that rule out some values: a status of a refusal, or a refusal.
var (
	rules  = regexp.MustCompile("\\b(400|422)\\b|(?i)\\b(refused|rejected)\\b")
	unique = regexp.MustCompile(`(?i)\bunique\b|\balready\b|\bduplicate|\btaken\b|\bexist|\banother\b`)
)

// singular are names of members whose values often belong to one thing alone.
func singular() []string {
	return []string{"name", "title", "slug", "code", "sku", "number", "username", "login", "email", "reference", "key", "label", "handle", "subject"}
}

// ruled returns the examples of a member whose description says that some values are refused.
// They are what the document shows to be accepted.
func ruled(h CodeHints) *Code {
	if !rules.MatchString(h.Prose) || unique.MatchString(h.Prose+" "+h.Around) || isNamed(h.Name, singular()) {
		return nil // the example may be taken
	}
	c := &Code{kind: &kind{name: "value that the document shows"}}
	for _, e := range h.Examples {
		if h.Accepts(e) {
			c.texts = append(c.texts, e)
		}
	}
	if len(c.texts) == 0 {
		return nil
	}
	c.drawn, c.examples = c.texts, c.texts
	return c
}

// notIn begins what says that a date lies on the other side.
const notIn = `(?i)\b(not|neither|never|cannot|no|n't)\b[^.;]{0,20}\bin the `

// eras are dates and date-times that lie in the past or in the future.
func eras(format string) []kind {
	layout, form := time.DateOnly, `^\d{4}-\d{2}-\d{2}$`
	if format == "date-time" {
		layout, form = "2006-01-02T15:04:05Z", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`
	}
	of := func(name string, from, years int, names []string, prose, unless string) kind {
		return kind{name: name, names: names, sure: true, prose: regexp.MustCompile(prose), unless: regexp.MustCompile(unless), form: regexp.MustCompile(form), ordered: true,
			draw: func(n int64, _ []string) string {
				day := time.Date(from, 1, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, int(n)%(365*years))
				return day.Add(time.Duration(n%36000) * time.Second).Format(layout)
			},
			valid: func(text string) bool {
				t, err := time.Parse(layout, text)
				return err == nil && t.Year() >= from && t.Year() <= from+years && t.Format(layout) == text
			}}
	}
	return []kind{
		of(fmt.Sprintf("%s in the past", format), 1950, 55, []string{"birth", "birthdate", "birthday", "dateofbirth", "dob", "born", "bornon"}, `(?i)\b(not|neither|never|cannot)\b.{0,20}\bin the future\b|\b(lies?|be|is) in the past\b|\bpast date\b`, notIn+`past\b`),
		of(fmt.Sprintf("%s in the future", format), 2031, 38, []string{"expires", "expiresat", "expireson", "expiry", "expirydate", "expirationdate", "validuntil", "deadline"},
			`(?i)\b(lies?|be|is|dates?) in the future\b|\bfuture date\b|\b(not|never|cannot)\b.{0,20}\bin the past\b|\b(not|never)\b.{0,12}\bbefore (today|now|tomorrow)\b|\b(after|later than) (today|now)\b`, notIn+`future\b`),
	}
}
