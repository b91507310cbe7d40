// Package wording rewrites what a document says in words, for tests: no wording of a document
// changes what is required of a server.
package wording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"plantstore/conformance/report"
)

// Ways are the wordings that a document gets, by name.
func Ways() map[string]func(said string) string {
	return map[string]func(said string) string{
		"nothing":    func(string) string { return "x" },
		"reversed":   reversed,
		"vocabulary": func(string) string { return vocabulary },
	}
}

func reversed(said string) string {
	r := []rune(said)
	slices.Reverse(r)
	return string(r)
}

// vocabulary has the words by which the suite guesses.
const vocabulary = "Only the items with this value, newest first, at most 20 of a page; the next page begins after the cursor. " +
	"It is in the list at once. It is no longer listed. It was deleted. It is never returned. It counts all pages, regardless of the limit. " +
	"Members that are left out keep their values. It replaces everything. Members that are left out are set to null. A partial update. " +
	"Refused with 400, 404, 409 or 422 if it is already open or no longer open, and only if it is pending; otherwise 409. Idempotent: sent again, it has no effect. " +
	"The answer may be 304. Any user name, an empty password. The id of the order. Sort ascending or descending. " +
	"A currency code (ISO 4217), a country code (ISO 3166), an IBAN, a time zone, a language tag, a colour, HH:MM, YYYY-MM-DD. It must not be in the past, is a past date, and must not be after the end."

// Reword returns a document whose descriptions, summaries and titles are what a function makes of
// them. Values, names and keywords stay.
func Reword(document []byte, how func(said string) string) ([]byte, error) {
	var tree any
	if err := yaml.UnmarshalWithOptions(document, &tree, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	return yaml.MarshalWithOptions(reword(tree, how), yaml.JSON())
}

// texts are the keywords whose values are for people, and values those with values of requests.
var (
	texts  = []string{"description", "summary", "title"}
	values = []string{"example", "examples", "default", "enum", "const"}
)

func reword(v any, how func(said string) string) any {
	switch v := v.(type) {
	case yaml.MapSlice:
		for i := range v {
			name, _ := v[i].Key.(string)
			said, isText := v[i].Value.(string)
			switch {
			case slices.Contains(values, name) || strings.HasPrefix(name, "x-"):
			case isText && slices.Contains(texts, name):
				v[i].Value = how(said)
			default:
				v[i].Value = reword(v[i].Value, how)
			}
		}
		return v
	case []any:
		for i := range v {
			v[i] = reword(v[i], how)
		}
	}
	return v
}

// Differences lists the requirements that one of two reports has another verdict of. Those that
// are suspected may differ: they rest on what a document says in words.
func Differences(is, other *report.Report) []string {
	was, now := required(is), required(other)
	var out []string
	for id, verdict := range was {
		if now[id] != verdict {
			out = append(out, fmt.Sprintf("%s: %s, then %s", id, verdict, now[id]))
		}
	}
	for id, verdict := range now {
		if was[id] == "" {
			out = append(out, fmt.Sprintf("%s: none, then %s", id, verdict))
		}
	}
	slices.Sort(out)
	return out
}

// required are the verdicts that do not rest on evidence.
func required(r *report.Report) map[string]report.Verdict {
	out := map[string]report.Verdict{}
	for _, x := range r.Results {
		if x.Level == report.Must || x.Level == report.Should {
			out[string(x.Level)+" "+x.Requirement] = x.Verdict
		}
	}
	return out
}
