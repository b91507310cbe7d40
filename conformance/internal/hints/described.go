package hints

import (
	"regexp"
	"slices"
	"strings"
)

// choice matches the beginning of a sentence that lists all values.
var choice = regexp.MustCompile(`(?i)\b(one of|either|(?:possible|allowed|valid|permitted|supported|accepted) values?(?: are| is)?)\b:?\s*`)

// quoted matches a value in quotes or backquotes.
var quoted = regexp.MustCompile("`([^`\\s]{1,40})`|\"([^\"\\s]{1,40})\"|'([^'\\s]{1,40})'")

// listed matches a list of at least two words without quotes, between commas, bars or slashes.
// "or" or "and" may come before the last one.
var listed = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)((?:\s*[,|/]\s*[A-Za-z][A-Za-z0-9_-]*)+)(?:,?\s+(?:or|and)\s+([A-Za-z][A-Za-z0-9_-]*))?\s*(?:[.;)\n]|$)`)

// described returns the values that a description lists where the schema has no enum. An
// example must be one of them.
func described(h CodeHints) *Code {
	at := choice.FindStringIndex(h.Prose)
	if at == nil {
		return nil
	}
	sentence, _, _ := strings.Cut(h.Prose[at[1]:], ". ")
	var texts []string
	add := func(text string) {
		if text != "" && h.Accepts(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(sentence, -1) {
		add(m[1] + m[2] + m[3])
	}
	if m := listed.FindStringSubmatch(sentence); len(texts) == 0 && m != nil {
		add(m[1])
		for _, w := range strings.FieldsFunc(m[2], func(c rune) bool { return strings.ContainsRune(",|/ \t\n", c) }) {
			add(w)
		}
		add(m[3])
	}
	for _, e := range h.Examples {
		if !slices.Contains(texts, e) {
			return nil
		}
	}
	if len(texts) < 2 {
		return nil
	}
	return &Code{kind: &kind{name: "value that the description lists"}, texts: texts, drawn: texts}
}
