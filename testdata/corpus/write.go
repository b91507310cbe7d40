package main

import (
	"fmt"
	"io"
	"strings"
)

const maxReasons = 40

// row is a row of the first table of corpus.md.
func (m measured) row() string {
	tried := fmt.Sprint(m.tried)
	switch {
	case m.empty():
		tried = "none"
	case m.failed != "":
		tried = "-"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %.1f | %d |", m.name, m.version, (m.bytes+1023)>>10, m.operations, tried, m.seconds, m.mebibytes)
}

// empty reports whether a document describes no operation.
func (m measured) empty() bool { return m.operations == 0 && strings.HasSuffix(m.failed, none) }

// none is the reason that the suite gives for a document without any operation.
const none = ": it has none"

// totals sums up the rows. A document without an operation has nothing to load.
func totals(all []measured) string {
	loaded, empty, operations, tried := 0, 0, 0, 0
	for _, m := range all {
		operations += m.operations
		tried += m.tried
		switch {
		case m.empty():
			empty++
		case m.failed == "":
			loaded++
		}
	}
	return fmt.Sprintf("%d of %d documents with an operation load (%s), %d of %d operations are tried (%s). %d more documents describe no operation.",
		loaded, len(all)-empty, percent(loaded, len(all)-empty), tried, operations, percent(tried, operations), empty)
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
	fmt.Fprintln(w, "The public documents of [corpus/documents.txt](corpus/documents.txt), read by `go run ./testdata/corpus`, with what it costs to read them; the cases of a run come on top. A document loads if at least one of its operations is tried. Each is read alone, without the other files that it may refer to.")
	fmt.Fprintln(w)
	fmt.Fprintln(w, totals(all))
	fmt.Fprintln(w)
	fmt.Fprintln(w, "## Why the rest is not tried")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "The reasons that most documents give. A part is an operation, or something of one.")
	fmt.Fprintln(w)
	writeReasons(w, all, maxReasons)
	fmt.Fprintln(w)
	fmt.Fprintln(w, "## Documents")
	fmt.Fprintln(w)
	fmt.Fprintln(w, rowHead)
	fmt.Fprintln(w, "|---|---|---:|---:|---:|---:|---:|")
	for _, m := range all {
		fmt.Fprintln(w, m.row())
	}
	var failed, empty []string
	for _, m := range all {
		switch {
		case m.empty():
			empty = append(empty, "- "+m.name)
		case m.failed != "":
			failed = append(failed, fmt.Sprintf("- %s: %s", m.name, m.failed))
		}
	}
	section(w, "Documents that do not load", failed)
	section(w, "Documents that describe no operation", empty)
}

// section writes a list under a heading, if there is one.
func section(w io.Writer, heading string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(w, "\n## %s\n\n%s\n", heading, strings.Join(list, "\n"))
	}
}

const rowHead = "| document | version | KiB | operations | tried | CPU seconds | peak MiB |"
