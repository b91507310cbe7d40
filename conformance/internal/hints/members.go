package hints

import "regexp"

// Sentences about the order of two members, of which the second is named: "must be after
// starts_on", "must not lie before `invoice_date`".
const (
	isLater   = `(?:after|later than|(?:not|neither|never) (?:be |lie |come )?(?:before|earlier than|less than|below|smaller than)|on or after|no earlier than|greater than|larger than|higher than|above|at least)`
	isEarlier = `(?:before|earlier than|(?:not|neither|never) (?:be |lie |come )?(?:after|later than|exceed|greater than|above|larger than)|on or before|no later than|less than|lower than|smaller than|below|at most|must not exceed|may not exceed)`
	between   = `[^.;:]{0,24}?`
)

// Later reports whether what is said of a member, or of the whole object, puts it behind another
// one, and Earlier whether it puts it before that.
func Later(own, whole, member, other string) bool { return ranks(isLater, own, whole, member, other) }

// Earlier is the contrary of Later.
func Earlier(own, whole, member, other string) bool {
	return ranks(isEarlier, own, whole, member, other)
}

func ranks(order, own, whole, member, other string) bool {
	other = "`?\\b" + regexp.QuoteMeta(other) + "\\b"
	named := "\\b" + regexp.QuoteMeta(member) + "\\b" + between
	return regexp.MustCompile("(?i)"+order+between+other).MatchString(own) || regexp.MustCompile("(?i)"+named+order+between+other).MatchString(whole)
}

// idOf matches descriptions such as "The id of the class."
var idOf = regexp.MustCompile(`(?i)^(?:the )?(?:id|identifier) of (?:the|an?) (\w+)\b`)

// IDOf returns what a description says that a member has the id of, or an empty text.
func IDOf(said string) string {
	if m := idOf.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// namesTime matches the names of members that say when something was or is.
var namesTime = regexp.MustCompile(`(?i)(date|time|year|month|day|when|age|version|born|released|published)$|_at$|(?-i:[a-z]At)$`)

// NamesTime reports whether the name of a member says that it has a time.
func NamesTime(name string) bool { return namesTime.MatchString(name) }
