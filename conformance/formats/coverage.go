package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// coverageHead stands above the table.
const coverageHead = `# What is generated on both sides of a schema keyword

A case is on the valid side where its body keeps the schema and touches the keyword, and on the invalid side where it breaks this keyword, nothing else, and a requirement is about it. The numbers are those of the plan of a small document for each keyword, by the exact judge, with the default draws; a body that only spells a value in another way, or breaks several things by chance, is not counted.

This file is what ` + "`conformance list --coverage`" + ` prints; a test compares them, and reads 1,000 draws of each side again.

| keyword | OpenAPI | valid side | cases | invalid side | cases | sides |
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
	fmt.Fprintf(&b, "\n%d of %d rows have both sides. The others:\n\n%s\n", full, len(c.Keywords), strings.Join(lacking, "\n"))
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
