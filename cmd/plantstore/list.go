package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

type faultsCommand struct{}

// Run lists the faults.
func (faultsCommand) Run(std streams) error {
	rows := [][]string{{"NAME", "BREAKS", "WHAT IT DOES"}}
	for _, f := range faults.List() {
		rows = append(rows, []string{f.Name, f.Breaks, f.Doc})
	}
	return table(std.out, rows)
}

type variantsCommand struct{}

// Run lists the variants.
func (variantsCommand) Run(std streams) error {
	rows := [][]string{{"NAME", "WARNS", "WHAT IT DOES"}}
	for _, v := range variants.List() {
		warns := strings.Join(v.Warns, ",")
		if warns == "" {
			warns = "-"
		}
		rows = append(rows, []string{v.Name, warns, v.Doc})
	}
	return table(std.out, rows)
}

type versionCommand struct{}

// Run prints the version that the binary was built as.
func (versionCommand) Run(std streams) error {
	version, toolchain := "(devel)", "unknown Go"
	if info, ok := debug.ReadBuildInfo(); ok {
		toolchain = info.GoVersion
		if info.Main.Version != "" {
			version = info.Main.Version
		}
	}
	_, err := fmt.Fprintf(std.out, "plantstore %s (%s)\n", version, toolchain)
	return err
}

// table prints rows in aligned columns.
func table(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}
