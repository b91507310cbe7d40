package rules

import (
	"net/http"
	"strings"
	"time"

	"plantstore/conformance/internal/rule"
)

// sinceOf returns the time in a conditional field of the request and that of the last
// change of the thing, as the last read gave it. Ok is false if one of them is missing.
func sinceOf(p *rule.Input, field string) (given, changed time.Time, ok bool) {
	before := p.Last(http.MethodGet)
	if before == nil || !before.Got.Success() || p.Exchange.Request == nil {
		return given, changed, false
	}
	for _, line := range strings.Split(string(p.Exchange.Request.Head), "\r\n") {
		name, value, found := strings.Cut(line, ":")
		if !found || !strings.EqualFold(name, field) {
			continue
		}
		var one, two error
		given, one = http.ParseTime(strings.TrimSpace(value))
		changed, two = http.ParseTime(before.Modified)
		return given, changed, one == nil && two == nil
	}
	return given, changed, false
}
