package formats

import (
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// htmlFinding is what failed, above the requirements.
type htmlFinding struct {
	ID       string // empty if an earlier finding has the same
	Category string
	Verdict  string
	Level    string
	Choices  string // the indexes of the operations
	Sentence string
	// Extent says in how many operations and requirements, and Operations names them.
	Extent     string
	Operations []string
	Fields     []htmlField
	Row        htmlRow // the requirement of the example
	N          int     // the example; zero if there is none
	Curl       string
	Replay     string
	All        string // the command that sends all of it again
	Others     []htmlMember
	Cut        int // how many others are left to the JSON form
}

// htmlMember is another failure of a finding.
type htmlMember struct {
	report.Member // escaped
	Row           int
}

// findings fills the list on top, and the filter by category.
func (p *htmlPage) findings(list []issue) {
	rows, choice := map[string]*htmlRow{}, map[string]string{}
	for i := range p.Rows {
		rows[p.Rows[i].ID] = &p.Rows[i]
		choice[p.Rows[i].Operation] = p.Rows[i].Choice
	}
	var categories []string
	seen := map[string]bool{}
	for _, x := range list {
		out := htmlFinding{Category: Escape(string(x.Category)), Verdict: x.word, Level: Escape(string(x.Level)), Sentence: cut(x.Sentence, sentenceOf), Extent: x.extent(), All: Escape(x.all)}
		if !seen[x.ID] {
			out.ID = Escape(x.ID)
		}
		seen[x.ID] = true
		categories = append(categories, out.Category)
		for _, id := range x.Requirements {
			if row := rows[Escape(id)]; row != nil && !slices.Contains(strings.Fields(row.Categories), out.Category) {
				row.Categories = strings.TrimSpace(row.Categories + " " + out.Category)
			}
		}
		var choices []string
		for _, op := range x.Operations {
			out.Operations = append(out.Operations, Escape(op))
			choices = append(choices, choice[Escape(op)])
		}
		out.Choices = strings.Join(choices, " ")
		if row := rows[Escape(x.result.Requirement)]; row != nil {
			out.Row = *row
		}
		for _, row := range x.exchange() {
			out.Fields = fields(out.Fields, capital(row[0]), cut(row[1], htmlFieldRunes))
		}
		if f, found := x.failure(); found {
			out.N, out.Replay = f.N, Escape(f.Replay)
			out.Curl, _ = htmlCurl(&f)
		}
		for _, m := range x.Members[min(1, len(x.Members)):] {
			if len(out.Others) == htmlMembers {
				out.Cut++
				continue
			}
			one := htmlMember{Member: report.Member{N: m.N, Requirement: Escape(m.Requirement), Sent: cut(m.Sent, cellBytes), Got: cut(m.Got, cellBytes)}}
			if row := rows[one.Requirement]; row != nil {
				one.Row = row.N
			}
			out.Others = append(out.Others, one)
		}
		p.Findings = append(p.Findings, out)
	}
	var known []string
	for _, c := range report.Categories() {
		known = append(known, string(c))
	}
	p.Categories = choices(known, categories)
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
