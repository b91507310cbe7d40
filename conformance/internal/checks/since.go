package checks

import (
	"net/http"
	"time"

	"plantstore/conformance/internal/rule"
)

// sinceOf returns the time in a conditional field of the request and that of the last
// change of the thing, as the last read gave it. Ok is false if one of them is missing.
func sinceOf(p *rule.Input, field string) (given, changed time.Time, ok bool) {
	before := p.Last(http.MethodGet)
	if before == nil || !before.Got.Success() {
		return given, changed, false
	}
	given, one := http.ParseTime(fieldOf(p, field))
	changed, two := http.ParseTime(before.Modified)
	return given, changed, one == nil && two == nil
}
