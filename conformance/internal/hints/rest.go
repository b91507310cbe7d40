package hints

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Sentences that say that a PATCH leaves all but the members that it has as they are.
var (
	keepsRest = regexp.MustCompile(`(?i)\b(omitted|left out|absent|missing|(not|n't) (be )?(given|sent|provided|included|present|specified|supplied|set|passed|named)|(all|any) others?|(all|the|any) other (members|fields|properties|attributes|values))\b.{0,40}\b(keep|keeps|kept|unchanged|untouched|remains?|retains?|retained|stays?|preserved|not (be )?(changed|modified|touched))\b`)
	onlyGiven = regexp.MustCompile(`(?i)\bonly (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b.{0,40}\b(changed?|updated?|modified|replaced)\b|\b(changes?|updates?|modif(?:y|ies)|replaces?) only (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b`)
)

// KeepsRest returns the sentence that says that members which a request leaves out keep their values.
func KeepsRest(texts []Text) *report.Evidence {
	return says("members that a request leaves out keep their values", texts, keepsRest, onlyGiven)
}

var replacesAll = regexp.MustCompile(`(?i)\breplaces? (everything|all (of |the )?(members|fields|properties|values|attributes)|the (whole|entire|complete|full) \w+|every (member|field|property|attribute))\b|\b(full|complete|entire) replacement\b`)

// ReplacesAll returns the sentence that says that a PUT replaces everything.
func ReplacesAll(texts []Text) *report.Evidence {
	return says("a PUT replaces everything", texts, replacesAll)
}

// Excepts reports whether a quote names a member, as in "Replaces everything but the slug".
func Excepts(said *report.Evidence, member string) bool {
	return hasWord(strings.ToLower(said.Quote), strings.ToLower(member))
}

// The words with which documents say what becomes of members that a request leaves out: those
// that speak of such members, those that say that they stay, or may, and those that say that
// they do not.
var (
	speaksOfRest = regexp.MustCompile(`(?i)\b(omit\w*|left out|leav\w+ out|absent|absence|missing|not (be )?(given|sent|provided|included|present|specified|supplied|named|set|passed))\b`)
	restStays    = regexp.MustCompile(`(?i)\b(partial\w*|merg\w+|patch\w*|unchanged|untouched|unaffected|preserv\w+|retain\w*|keep\w*|kept|remain\w*|stay\w*|ignor\w+|only (the|those|given|what)|as (it|they) (is|are|was|were)|(not|never|nothing|no longer|\w+n't) ((be|is|are|get) )?(remov|delet|clear|reset|drop|chang|touch|overwr|modif|alter|affect|replac|becom|disappear)\w*)\b`)
	restVanishes = regexp.MustCompile(`(?i)\b(disappears?|vanish\w*|(becomes?|is|are|be|to) (set to )?(null|empty|absent|removed|deleted|cleared|reset|emptied|dropped|unset|lost)|((re)?set to|gets?|takes?) (its|their|the) defaults?)\b`)
)

// Rest returns what texts say of what becomes of members that a request leaves out: that they may
// stay, or, in what is said of the operation and of its body, that they do not, if no other text
// says that they do. Names are those of the members, of which other texts speak.
func Rest(ofRequest, ofMembers []Text, names []string) (may, not *report.Evidence) {
	var stays *report.Evidence
	for i, t := range slices.Concat(ofRequest, ofMembers) {
		of, names := i < len(ofRequest), names
		if !of {
			names = nil
		}
		for sentence := range sentences(t.Said) {
			say := func(fact string) *report.Evidence {
				return &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence}
			}
			stay, vanish := say("members that a request leaves out may stay"), say("members that a request leaves out do not stay")
			speaks, about := speaksOfRest.MatchString(sentence), func(name string) bool { return strings.Contains(strings.ToLower(sentence), strings.ToLower(name)) }
			switch {
			case restStays.MatchString(sentence):
				// What stays may be something else: the bookings of a room.
				stays = cmp.Or(stays, stay)
				if speaks || !of || slices.ContainsFunc(names, about) {
					may = cmp.Or(may, stay)
				}
			case speaks && restVanishes.MatchString(sentence):
				if of {
					not = cmp.Or(not, vanish)
				}
			case speaks:
				may = cmp.Or(may, stay)
			}
		}
	}
	switch {
	case may != nil:
		return may, nil
	case not != nil:
		return nil, not
	}
	return stays, nil
}
