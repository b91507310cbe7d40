package generate

import (
	"fmt"
	"time"

	"plantstore/conformance/internal/contract"
)

// The years in which dates lie: few servers take only past ones, and those that do have names for
// them that tell, or refuse all others.
const (
	futureYear = 2031
	pastYear   = 1961
	spanYears  = 49
)

// soonDays are the days after today, from the second one on, that lie in the next weeks.
const soonDays = 60

// days returns which date a member gets for a number.
func (g *Gen) days(s *contract.Schema) func(n int64) string {
	switch {
	case s.Past || g.id.Past.Has(g.Op):
		return func(n int64) string { return dayOf(pastYear, n) }
	case g.id.Soon.Has(g.Op):
		return func(n int64) string { return g.id.Today.AddDate(0, 0, 2+int(n%soonDays)).Format(time.DateOnly) }
	}
	return func(n int64) string { return dayOf(futureYear, n) }
}

func dayOf(first, n int64) string {
	return fmt.Sprintf("%d-%02d-%02d", first+n%spanYears, n/spanYears%12+1, n/(12*spanYears)%28+1)
}
