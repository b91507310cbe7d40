package generate

import (
	"fmt"
	"time"

	"plantstore/conformance/internal/openapi"
)

// The years in which dates lie. Most servers accept dates in the future. Where one accepts only
// past dates, the name of the member often tells, or the pre-flight finds out.
const (
	futureYear = 2031
	pastYear   = 1961
	spanYears  = 49
)

// soonDays is the number of days in the next weeks, which begin two days from today.
const soonDays = 60

// days returns which date a member gets for a number.
func (g *Gen) days(s *openapi.Schema) func(n int64) string {
	switch {
	case s.Past && g.Op.Guesses() || g.id.Past.Has(g.Op):
		return func(n int64) string { return dayOf(pastYear, n) }
	case g.id.Soon.Has(g.Op):
		return func(n int64) string { return g.id.Today.AddDate(0, 0, 2+int(n%soonDays)).Format(time.DateOnly) }
	}
	return func(n int64) string { return dayOf(futureYear, n) }
}

func dayOf(first, n int64) string {
	return fmt.Sprintf("%d-%02d-%02d", first+n%spanYears, n/spanYears%12+1, n/(12*spanYears)%28+1)
}
