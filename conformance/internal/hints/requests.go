package hints

import (
	"cmp"
	"regexp"
	"strings"

	"plantstore/conformance/report"
)

var (
	neverBack = regexp.MustCompile(`(?i)\b(never|not|no longer)\b.{0,30}\b(returned|shown?|sent back|included|part of|present|appears?|visible|disclosed|exposed|given back|comes? back)\b`)
	sometimes = regexp.MustCompile(`(?i)\b(unless|except|by default|again|once|after|afterwards|later|other than)\b`)
)

// NeverBack returns the sentence that says of a member that no answer has it: "It is never returned."
func NeverBack(t Text) *report.Evidence {
	return saysPlainly("no answer has it", t, neverBack, sometimes)
}

// sentAgain matches what descriptions say of a request that is sent again.
var sentAgain = regexp.MustCompile(`(?i)\b(idempoten\w*|same|repeat\w*|retr(y|ies|ied|ying)|replay\w*|again|duplicates?|twice|once)\b`)

// SentAgain returns the description of a header field by whose value a server knows a request that
// is sent again, such as Idempotency-Key.
func SentAgain(field string, t Text) *report.Evidence {
	if !strings.HasPrefix(field, "idempotency") || !sentAgain.MatchString(t.Said) {
		return nil
	}
	return &report.Evidence{Fact: "a request that is sent again makes nothing new", Place: t.Place, Quote: t.Said}
}

var (
	sentenceEnd   = regexp.MustCompile(`[.;!?]\s|\n\s*\n`)
	ofConditional = regexp.MustCompile(`(?i)\b304\b|not modified|if-none-match`)
	ofChoice      = regexp.MustCompile(`(?i)\b(may|might|can|could)\s+(\w+\s+)?(answer|return|respond|reply|result|yield|get|receive|be)\b|\boptional`)
)

// MayCompare returns the sentence that says only that the answer to a request with If-None-Match
// can be 304: "GET takes If-None-Match and may answer 304."
func MayCompare(ofAnswer Text, others []Text) *report.Evidence {
	const fact = "the answer may be another one than 304"
	var out *report.Evidence
	if ofChoice.MatchString(ofAnswer.Said) {
		out = &report.Evidence{Fact: fact, Place: ofAnswer.Place, Quote: ofAnswer.Said}
	}
	for _, t := range others {
		for _, sentence := range sentenceEnd.Split(t.Said, -1) {
			if ofConditional.MatchString(sentence) && ofChoice.MatchString(sentence) {
				out = cmp.Or(out, &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence})
			}
		}
	}
	return out
}
