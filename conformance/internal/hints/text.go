package hints

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Text is what a document says for people, and where.
type Text struct{ Place, Said string }

// sentences returns the sentences of a text, each on one line.
func sentences(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.Join(strings.Fields(text), " "), ". ")
}

// says returns the first sentence of some texts that matches one of some expressions, as evidence
// of a fact. It is nil if there is none.
func says(fact string, texts []Text, of ...*regexp.Regexp) *report.Evidence {
	for _, t := range texts {
		for sentence := range sentences(t.Said) {
			if slices.ContainsFunc(of, func(one *regexp.Regexp) bool { return one.MatchString(sentence) }) {
				return &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence}
			}
		}
	}
	return nil
}

// saysPlainly is says for a text that nothing weakens.
func saysPlainly(fact string, t Text, of, less *regexp.Regexp) *report.Evidence {
	if less.MatchString(t.Said) {
		return nil
	}
	return says(fact, []Text{t}, of)
}

// saysAlways is says for a sentence that makes no condition.
func saysAlways(fact string, texts []Text, of *regexp.Regexp) *report.Evidence {
	said := says(fact, texts, of)
	if said == nil {
		return nil
	}
	for _, t := range texts {
		for sentence := range sentences(t.Said) {
			if t.Place == said.Place && of.MatchString(sentence) && underCondition.MatchString(sentence) {
				return nil
			}
		}
	}
	return said
}

// underCondition matches sentences that make a condition.
var underCondition = regexp.MustCompile(`(?i)\b(if|unless|until|once (it|they|the|a|an|\w+ed)|only|after|when|where|not|never|may|can)\b`)

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i, at = at+i, at+i+len(word)
		if (i == 0 || !inWord(text[i-1])) && (at == len(text) || !inWord(text[at])) {
			return true
		}
	}
}

func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}
