package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// reason is why parts of documents are not tried, without the names that differ
// from part to part.
type reason struct {
	text      string
	parts     int
	documents []string // with the most parts first
	example   string   // one part as it is
}

// group counts the reasons of all documents.
func group(all []measured) []reason {
	in := map[string]map[string]int{}
	examples := map[string]string{}
	add := func(text, part, name string, n int) {
		if in[text] == nil {
			in[text] = map[string]int{}
			examples[text] = name + ": " + part
		}
		in[text][name] += n
	}
	for _, m := range all {
		if m.empty() {
			continue
		}
		parts := m.left
		if m.failed != "" {
			parts = failures(m.failed)
		}
		for _, p := range parts {
			text, n := general(p)
			add(text, p, m.name, n)
		}
	}
	var out []reason
	for text, names := range in {
		r := reason{text: text, example: examples[text]}
		for name, n := range names {
			r.parts += n
			r.documents = append(r.documents, name)
		}
		slices.SortFunc(r.documents, func(a, b string) int {
			return cmp.Or(names[b]-names[a], strings.Compare(a, b))
		})
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b reason) int {
		return cmp.Or(len(b.documents)-len(a.documents), b.parts-a.parts, strings.Compare(a.text, b.text))
	})
	return out
}

// failures splits the message of a document without any operation to try: it
// lists what was left out.
func failures(message string) []string {
	_, list, ok := strings.Cut(message, "no operation of the document can be tested: ")
	if !ok {
		return []string{"not loaded: " + message}
	}
	return slices.DeleteFunc(strings.Split(list, "; "), func(s string) bool { return strings.HasPrefix(s, "and ") })
}

// many starts a line that stands for several operations.
var many = regexp.MustCompile(`^(\d+) operations, such as `)

// names are the words of a reason that differ from part to part.
var names = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`document:\d+:\d+: `), ""},
	{regexp.MustCompile(`^[A-Z]+ /\S*: `), ""},
	{regexp.MustCompile(`"[^"]*"|'[^']*'`), "…"},
	{regexp.MustCompile(`(^|[\s(])#?/[^\s,;)]*[^\s,;:.)]`), "$1/…"},
	{regexp.MustCompile(`\b(parameter|scheme|pattern|schema|format) [^\s,;:]+ (is|are|has)\b`), "$1 … $2"},
	{regexp.MustCompile(`\d+`), "N"},
}

// general takes the names out of what was left out, and says how many operations
// it stands for.
func general(part string) (string, int) {
	n := 1
	if m := many.FindStringSubmatch(part); m != nil {
		n, _ = strconv.Atoi(m[1])
		part = strings.TrimPrefix(part, m[0])
	}
	for _, name := range names {
		part = name.find.ReplaceAllString(part, name.with)
	}
	return part, n
}

// writeAll writes every reason with all its documents and one part as it is.
func writeAll(w io.Writer, all []measured) {
	for _, r := range group(all) {
		fmt.Fprintf(w, "## %s\n\n%d documents, %d parts. %s\n\n    %s\n\n", r.text, len(r.documents), r.parts, strings.Join(r.documents, ", "), r.example)
	}
}

// writeReasons writes the most frequent reasons as rows of a table.
func writeReasons(w io.Writer, all []measured, most int) {
	fmt.Fprintln(w, "| reason | documents | parts | such as |")
	fmt.Fprintln(w, "|---|---:|---:|---|")
	for i, r := range group(all) {
		if i == most {
			break
		}
		such := strings.Join(r.documents[:min(3, len(r.documents))], ", ")
		fmt.Fprintf(w, "| %s | %d | %d | %s |\n", strings.ReplaceAll(r.text, "|", "\\|"), len(r.documents), r.parts, such)
	}
}

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
