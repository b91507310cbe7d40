package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// coverageHead stands above the table.
const coverageHead = `# What is generated for each schema keyword

The table counts the cases in the plan of a small document for each keyword, with the default number of draws. A valid case uses the keyword and keeps the schema. An invalid case violates this keyword and nothing else, and a requirement covers it. The exact judge decides which is which. Cases that only write a value differently, or that violate several keywords, are not counted.

` + "`conformance list --coverage`" + ` prints this file. A test compares the two, and checks 1,000 draws of each kind.

| keyword | OpenAPI | valid values | cases | invalid values | cases | covered |
|---|---|---|---|---|---|---|
`

// CoverageMarkdown writes the table of keywords.
func CoverageMarkdown(w io.Writer, c *report.Coverage) error {
	var b strings.Builder
	b.WriteString(coverageHead)
	var lacking []string
	full := 0
	for _, k := range c.Keywords {
		sides := sidesOf(k)
		if sides == "both" {
			full++
		} else {
			lacking = append(lacking, fmt.Sprintf("- %s (%s), %s: %s.", k.Keyword, strings.Join(k.Dialects, ", "), sides, k.Why))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %d | %s |\n", k.Keyword, strings.Join(k.Dialects, ", "),
			orDash(k.Valid.What), k.Valid.Cases, orDash(k.Invalid.What), k.Invalid.Cases, sides)
	}
	fmt.Fprintf(&b, "\n%d of %d rows have both. The others:\n\n%s\n", full, len(c.Keywords), strings.Join(lacking, "\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

// CoverageJSON writes the same as JSON.
func CoverageJSON(w io.Writer, c *report.Coverage) error { return writeJSON(w, c) }

func sidesOf(k report.KeywordCoverage) string {
	switch {
	case k.Valid.Cases > 0 && k.Invalid.Cases > 0:
		return "both"
	case k.Valid.Cases > 0:
		return "valid only"
	case k.Invalid.Cases > 0:
		return "invalid only"
	}
	return "left out"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
