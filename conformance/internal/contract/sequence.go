package contract

import (
	"regexp"
	"strings"
)

// Sentences about the order of two members, of which the second is named: "must be after
// starts_on", "must not lie before `invoice_date`".
const (
	isLater   = `(?:after|later than|(?:not|neither|never) (?:be |lie |come )?(?:before|earlier than|less than|below|smaller than)|on or after|no earlier than|greater than|larger than|higher than|above|at least)`
	isEarlier = `(?:before|earlier than|(?:not|neither|never) (?:be |lie |come )?(?:after|later than|exceed|greater than|above|larger than)|on or before|no later than|less than|lower than|smaller than|below|at most|must not exceed|may not exceed)`
	between   = `[^.;:]{0,24}?`
)

// sequences finds the pairs of members of an object that are in order, as the descriptions of
// the members and, for the body itself, of the operation say.
func (co *coder) sequences(path string, s *Schema) [][2]string {
	var out [][2]string
	whole := ""
	if path == "" {
		whole = co.around
	}
	for _, p := range s.Properties {
		if !ranked(p.Schema) {
			continue
		}
		own := co.said(p.Schema)
		for _, q := range s.Properties {
			if q == p || !alike(p.Schema, q.Schema) || !strings.Contains(own+whole, q.Name) {
				continue
			}
			other := "`?\\b" + regexp.QuoteMeta(q.Name) + "\\b"
			named := "\\b" + regexp.QuoteMeta(p.Name) + "\\b" + between
			says := func(order string) bool {
				return regexp.MustCompile("(?i)"+order+between+other).MatchString(own) || regexp.MustCompile("(?i)"+named+order+between+other).MatchString(whole)
			}
			switch {
			case says(isLater):
				out = append(out, [2]string{q.Name, p.Name})
			case says(isEarlier):
				out = append(out, [2]string{p.Name, q.Name})
			}
		}
	}
	return out
}
