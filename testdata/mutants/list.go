package main

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// mutant is one small fault in the suite: a place in a file and what to write
// there instead.
type mutant struct {
	// Name is unique in the list.
	Name string
	// File is the name of the file in the directory of the package.
	File string `yaml:"-"`
	// Old occurs exactly once in File; New replaces it.
	Old, New string
	// Why says what a user would suffer from the fault.
	Why string
	// Also are further packages, from the root of the module, whose tests may
	// notice. Those of the package itself always run.
	Also []string
}

// mutated is a package with its mutants.
type mutated struct {
	dir     string // from the root of the module
	mutants []mutant
}

// texts has a file for each package of conformance/internal that has mutants: those of each of its files.
//
//go:embed *.yaml
var texts embed.FS

// packages reads the packages that have mutants.
func packages() ([]mutated, error) {
	files, err := texts.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var out []mutated
	for _, f := range files {
		text, err := texts.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		var read map[string][]mutant
		if err := yaml.UnmarshalWithOptions(text, &read, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		p := mutated{dir: "conformance/internal/" + strings.TrimSuffix(f.Name(), ".yaml")}
		for _, file := range slices.Sorted(maps.Keys(read)) {
			for _, m := range read[file] {
				m.File = file
				p.mutants = append(p.mutants, m)
			}
		}
		out = append(out, p)
	}
	return out, nil
}
