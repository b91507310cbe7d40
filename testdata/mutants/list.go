package main

import "slices"

// mutant is one small fault in the suite: a place in a file and what to write
// there instead.
type mutant struct {
	// Name is unique in the list.
	Name string
	// File is the name of the file in the directory of the package.
	File string
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

// packages lists the packages that have mutants, one file each.
func packages() []mutated {
	return []mutated{
		{"conformance/internal/openapi", contractMutants()},
		{"conformance/internal/schema", schemaMutants()},
		{"conformance/internal/secondopinion", crosscheckMutants()},
		{"conformance/internal/diagnose", slices.Concat(diagnoseMutants(), explainMutants(), shrinkMutants())},
		{"conformance/internal/execute", executeMutants()},
		{"conformance/internal/serialize", append(formMutants(), parameterMutants()...)},
		{"conformance/internal/mutate", catalogueMutants()},
		{"conformance/internal/client", paceMutants()},
		{"conformance/internal/plan", append(planMutants(), generateMutants()...)},
		{"conformance/internal/resource", reachMutants()},
		{"conformance/internal/reports", replayMutants()},
		{"conformance/internal/message", requestMutants()},
		{"conformance/internal/requirement", ruleMutants()},
		{"conformance/internal/checks", append(lifecycleMutants(), listMutants()...)},
		{"conformance/internal/explore", append(targetMutants(), reachingMutants()...)},
		{"conformance/internal/judge", verdictMutants()},
	}
}
