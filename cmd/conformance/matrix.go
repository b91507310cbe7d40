package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// matrixOptions are the arguments and flags of matrix.
type matrixOptions struct {
	Reports []namedFile    `arg:"" name:"report" help:"Reports of one document, written with --report json=FILE: one for each implementation, as NAME=FILE. Without NAME=, the name is that of the file, and a pattern such as out/*.json stands for the files that match."`
	Report  []matrixOutput `name:"report" sep:"none" placeholder:"FORMAT=PATH" help:"Write the matrix as text, markdown, html or json. With the path -, it goes to standard output, which otherwise gets the text. Repeatable."`
	NoColor bool           `help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// namedFile is a report and the name of its implementation.
type namedFile struct{ name, path string }

// nameOf is the name of an implementation whose report has no other.
func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// UnmarshalText reads NAME=FILE or FILE. A text with a slash before the = is a path.
func (n *namedFile) UnmarshalText(text []byte) error {
	n.path = string(text)
	n.name = nameOf(n.path)
	name, path, found := strings.Cut(n.path, "=")
	if !found || strings.ContainsAny(name, `/\`) {
		return nil
	}
	if strings.TrimSpace(name) == "" || path == "" {
		return usagef("write NAME=FILE", "%q is not NAME=FILE", n.path)
	}
	n.name, n.path = name, path
	return nil
}

// matrixOutput is one --report FORMAT=PATH of a matrix.
type matrixOutput struct {
	output
	write func(io.Writer, *report.Matrix, formats.Options) error
}

// UnmarshalText reads FORMAT=PATH.
func (o *matrixOutput) UnmarshalText(text []byte) error {
	f, path, err := formatAndPath(text, formats.FindMatrix, "html=matrix.html or markdown=-")
	*o = matrixOutput{output{formats.Format{Name: f.Name}, path}, f.Write}
	return err
}

// matrix prints reports side by side.
func matrix(sys system, o matrixOptions) error {
	outputs := []output{}
	for _, x := range o.Report {
		outputs = append(outputs, x.output)
	}
	if err := checkOutputs(outputs); err != nil {
		return err
	}
	list, err := readReports(o.Reports)
	if err != nil {
		return err
	}
	m, err := conformance.Matrix(list)
	var setup *conformance.SetupError
	if errors.As(err, &setup) {
		return usagef("give reports of one document", "%v", err)
	}
	if err != nil {
		return err
	}
	return writeMatrix(sys, o, m)
}

// readReports reads one report for each implementation. The error is a *usageError.
func readReports(files []namedFile) ([]report.Named, error) {
	seen := map[string]string{}
	var out []report.Named
	all, err := expandNamed(files)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if first, twice := seen[f.name]; twice {
			return nil, usagef("write NAME=FILE to tell them apart", "%s and %s are both named %q", first, f.path, f.name)
		}
		seen[f.name] = f.path
		r, err := readReport(f.path)
		if err != nil {
			return nil, err
		}
		out = append(out, report.Named{Name: f.name, Report: r})
	}
	return out, nil
}

// expandNamed replaces patterns by their files, each with its own name.
func expandNamed(files []namedFile) (out []namedFile, err error) {
	for _, f := range files {
		paths, err := expand(f.path)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if path != f.path && f.name == nameOf(f.path) {
				out = append(out, namedFile{nameOf(path), path})
			} else {
				out = append(out, namedFile{f.name, path})
			}
		}
	}
	return out, nil
}

// writeMatrix writes the files first: they must be there even when nobody reads the text.
func writeMatrix(sys system, o matrixOptions, m *report.Matrix) error {
	var stdout *matrixOutput
	var errs []error
	for _, x := range o.Report {
		if x.path == "-" {
			stdout = &x
			continue
		}
		s, err := openSink(x.output)
		if err == nil {
			err = s.write(func(w io.Writer) error { return x.write(w, m, formats.Options{}) })
		}
		errs = append(errs, err)
	}
	var err error
	if stdout != nil {
		err = stdout.write(sys.stdout, m, formats.Options{})
	} else {
		err = formats.MatrixText(sys.stdout, m, textOptions(sys.stdout, o.NoColor, sys.getenv))
	}
	if err != nil {
		errs = append(errs, fmt.Errorf("standard output: %w", bare(err)))
	}
	return errors.Join(errs...)
}
