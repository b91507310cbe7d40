package checks

import (
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// within is positive if a value is on the right side of a bound, negative if it is on the
// wrong side, and 0 if that is not certain: the bound itself may count or not.
func within(side openapi.Bound, bound, v *jsontree.Value) int {
	n := 0
	switch {
	case bound.Kind == jsontree.Number && v.Kind == jsontree.Number:
		n = jsontree.Compare(v.Text, bound.Text)
	case bound.Kind == jsontree.String && v.Kind == jsontree.String:
		n = apart(v.Text, bound.Text)
	}
	if side == openapi.Most {
		return -n
	}
	return n
}

// on says in words on which side of a value something is.
func on(side openapi.Bound) string {
	switch side {
	case openapi.Least:
		return " from"
	case openapi.Most:
		return " up to"
	}
	return ""
}

// apart is negative if a time or a day is before another one in every time zone, positive if
// it is after it in every zone, and 0 if that is not certain.
func apart(text, other string) int {
	from, to, day, ok := span(text)
	otherFrom, otherTo, otherDay, otherOK := span(other)
	switch {
	case !ok || !otherOK:
	case day && otherDay:
		return from.Compare(otherFrom)
	case to.Before(otherFrom):
		return -1
	case otherTo.Before(from):
		return 1
	}
	return 0
}

// span returns the times that a text may stand for. A day begins 14 hours earlier in the
// first zone than in UTC, and ends 12 hours later in the last. Times may be rounded.
func span(text string) (from, to time.Time, day, ok bool) {
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at.Add(-14 * time.Hour), at.Add(36 * time.Hour), true, true
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	return at.Add(-time.Minute), at.Add(time.Minute), false, err == nil
}
