package main

import (
	"fmt"
	"io"
	"strings"
)

const mostReasons = 40

// row is a row of the first table of corpus.md.
func (m measured) row() string {
	tried := fmt.Sprint(m.tried)
	if m.failed != "" {
		tried = "-"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %.1f | %d |", m.name, m.version, (m.bytes+1023)>>10, m.operations, tried, m.seconds, m.mebibytes)
}

// totals sums up the rows.
func totals(all []measured) string {
	loaded, operations, tried := 0, 0, 0
	for _, m := range all {
		operations += m.operations
		tried += m.tried
		if m.failed == "" {
			loaded++
		}
	}
	return fmt.Sprintf("%d of %d documents load (%s), %d of %d operations are tried (%s).",
		loaded, len(all), percent(loaded, len(all)), tried, operations, percent(tried, operations))
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// write writes corpus.md.
func write(w io.Writer, all []measured) {
	fmt.Fprintln(w, "# Reach")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "The public documents of [corpus/documents.txt](corpus/documents.txt), read by `go run ./testdata/corpus`, with what it costs to read them; the cases of a run come on top. A document loads if at least one of its operations is tried.")
	fmt.Fprintln(w)
	fmt.Fprintln(w, totals(all))
	fmt.Fprintln(w)
	fmt.Fprintln(w, "## Why the rest is not tried")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "The reasons that most documents give. A part is an operation, or something of one.")
	fmt.Fprintln(w)
	writeReasons(w, all, mostReasons)
	fmt.Fprintln(w)
	fmt.Fprintln(w, "## Documents")
	fmt.Fprintln(w)
	fmt.Fprintln(w, rowHead)
	fmt.Fprintln(w, "|---|---|---:|---:|---:|---:|---:|")
	for _, m := range all {
		fmt.Fprintln(w, m.row())
	}
	var failed []string
	for _, m := range all {
		if m.failed != "" {
			failed = append(failed, fmt.Sprintf("- %s: %s", m.name, m.failed))
		}
	}
	if len(failed) > 0 {
		fmt.Fprintf(w, "\n## Documents that do not load\n\n%s\n", strings.Join(failed, "\n"))
	}
}

const rowHead = "| document | version | KiB | operations | tried | CPU seconds | peak MiB |"
