package openapi

import (
	"regexp"
	"strconv"
)

// Spellings outside a format that common readers accept: a UUID in another form, a
// date-time without seconds or offset or with a blank, a date that a simple expression takes
// (a first digit of 0 or 1 for the month, 0 to 3 for the day, 0 to 2 for the hour), a time stamp
// as a number. A server may accept or refuse them.
var (
	looseUUID  = regexp.MustCompile(`^(?i)(urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$`)
	looseTime  = regexp.MustCompile(`^\d{4}-(\d{2})-(\d{2})(?:[Tt _](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$`)
	looseClock = regexp.MustCompile(`^(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$`)
	timeStamp  = regexp.MustCompile(`^-?\d{1,18}(\.\d+)?$`)
)

// loose reports whether a text is one of these spellings of a format.
func loose(format, text string) bool {
	switch format {
	case "uuid":
		return looseUUID.MatchString(text)
	case "date-time", "date", "time":
	default:
		return false
	}
	if timeStamp.MatchString(text) {
		return true
	}
	if m := looseTime.FindStringSubmatch(text); m != nil {
		return inRange(m[1], 0, 19) && inRange(m[2], 0, 39) && inRange(m[3], 0, 29) && inRange(m[4], 0, 59) && inRange(m[5], 0, 60)
	}
	m := looseClock.FindStringSubmatch(text)
	return m != nil && inRange(m[1], 0, 29) && inRange(m[2], 0, 59) && inRange(m[3], 0, 60)
}

// inRange reports whether a number is in a range. An empty text is in every range.
func inRange(digits string, low, high int) bool {
	n, err := strconv.Atoi(digits)
	return digits == "" || err == nil && n >= low && n <= high
}
