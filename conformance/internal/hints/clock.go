package hints

import (
	"fmt"
	"regexp"
	"time"
)

// unlikeTimes are texts that patterns of dates and times do not allow, and looser ones do.
var unlikeTimes = []string{"abcdefgh", "abcd-ef-gh", "ab:cd", "2030/04/17", "20300417", "20:30:17:09", "12345-67", "1.5", "42"}

// times are dates and times of documents that have no format for them.
func times() []kind {
	at := func(name, layout, form string, prose string, next func(n int64) time.Time) kind {
		k := kind{name: name, form: regexp.MustCompile(form), telling: true, unlike: unlikeTimes, ordered: true,
			draw: func(n int64, _ []string) string { return next(n).Format(layout) },
			valid: func(text string) bool {
				t, err := time.Parse(layout, text)
				return err == nil && t.Format(layout) == text
			}}
		if prose != "" {
			k.prose = regexp.MustCompile(prose)
		}
		return k
	}
	day := func(n int64) time.Time {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n%29000))
	}
	month := func(n int64) time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, int(n%950), 0) }
	second := func(n int64) time.Time { return day(n).Add(time.Duration(n%86399) * time.Second) }
	clock := func(n int64) time.Time { // in the day, so that there is room behind it
		return time.Date(2000, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n%36000) * time.Second)
	}
	return []kind{
		at("date in the form YYYY-MM-DD", time.DateOnly, `^\d{4}-\d{2}-\d{2}$`, `(?i)\byyyy-mm-dd\b`, day),
		at("month in the form YYYY-MM", "2006-01", `^\d{4}-\d{2}$`, `(?i)\byyyy-mm\b([^-]|$)`, month),
		at("time in the form HH:MM", "15:04", `^\d{2}:\d{2}$`, `(?i)\bhh:mm\b([^:]|$)`, clock),
		at("time in the form HH:MM:SS", time.TimeOnly, `^\d{2}:\d{2}:\d{2}$`, `(?i)\bhh:mm:ss\b`, clock),
		at("date-time (RFC 3339)", "2006-01-02T15:04:05Z", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`, `(?i)\bRFC ?3339\b|\bISO[ -]?8601 (date[ -]?time|timestamp)`, second),
		at("date-time without a zone", "2006-01-02T15:04:05", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$`, "", second),
		{name: "duration (ISO 8601)", names: []string{"duration"}, form: regexp.MustCompile(`^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$`), telling: true,
			prose: regexp.MustCompile(`(?i)\bISO[ -]?8601 duration`), valid: func(text string) bool { return durationForm.MatchString(text) },
			draw: func(n int64, _ []string) string { return fmt.Sprintf("PT%dM", n%59+1) }},
	}
}

// durationForm is the usual form, which every reader takes.
var durationForm = regexp.MustCompile(`^PT[1-9]\d?[HM]$|^P[1-9]\d?D$`)
