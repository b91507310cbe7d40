package conformance_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What each package may import of ours. A package
// that is not here may import nothing of ours, so that a new one has to be
// placed first.
func allowedImports() map[string][]string {
	mechanisms := []string{"contract", "requirement", "rule", "request", "generate", "plan", "exchange", "jsontree"}
	list := func(names ...string) []string {
		out := []string{"conformance/report"}
		for _, n := range names {
			out = append(out, "conformance/internal/"+n)
		}
		return out
	}
	return map[string][]string{
		"spec":               {},
		"internal/nearest":   {}, // names in, names out: for the suite and the reference server alike
		"internal/fetch":     {}, // an address in, bytes out
		"internal/sample":    {}, // for tests alone: which entries of a long list they try
		"conformance/report": {},

		"conformance/internal/pattern":  {},            // texts and answers alone
		"conformance/internal/codes":    {},            // hints in, texts out
		"conformance/internal/hints":    list("codes"), // names in, guesses out
		"conformance/internal/jsontree": {},
		"conformance/internal/parallel": {}, // how goroutines end, for whoever starts one
		"conformance/internal/exchange": list("parallel"),
		"conformance/internal/redact":   {}, // bytes in, bytes out
		"conformance/internal/yamltree": list("jsontree"),
		// Nothing of ours, and only conformance imports it: whoever reaches the
		// types of libopenapi compiles its generic ones again.
		"conformance/internal/secondopinion": {},
		"conformance/internal/contract":      list("exchange", "jsontree", "yamltree", "resolve", "swagger", "pattern", "codes", "hints"),
		"conformance/internal/resolve":       list("jsontree"),
		"conformance/internal/swagger":       list("jsontree"),
		"conformance/internal/resource":      list("contract", "jsontree"),
		"conformance/internal/paging":        list("resource", "hints", "contract", "jsontree"),
		"conformance/internal/requirement":   append(list("paging", "resource", "hints", "contract", "exchange", "jsontree", "yamltree"), "internal/nearest"),
		"conformance/internal/parameter":     list("contract", "exchange", "jsontree"),
		"conformance/internal/reach":         list("contract", "jsontree"),
		"conformance/internal/form":          list("parameter", "contract", "jsontree"),
		"conformance/internal/request":       list("form", "parameter", "contract", "exchange", "jsontree"),
		"conformance/internal/generate":      list("request", "contract", "exchange", "jsontree", "pattern"),
		"conformance/internal/rule":          list("paging", "requirement", "request", "form", "parameter", "contract", "exchange", "jsontree"),
		"conformance/internal/plan":          append(list("parallel", "generate", "resource", "request", "contract", "exchange", "jsontree"), "internal/nearest"),
		"conformance/internal/compare":       {"conformance/report"},      // two reports in, what changed out
		"conformance/internal/measure":       {"conformance/report"},      // times in, counts out
		"conformance/internal/merge":         list("diagnose", "measure"), // the reports of shards in, that of the plan out
		"conformance/internal/limits":        {},                          // numbers alone
		"conformance/internal/pace":          list("measure", "limits", "exchange"),

		// The way of one case: each of these knows those before it.
		"conformance/internal/target":   list("reach", "pace", "measure", "limits", "parallel", "plan", "generate", "request", "rule", "contract", "exchange", "jsontree"),
		"conformance/internal/verdict":  list("target", "limits", "parallel", "redact", "plan", "generate", "request", "rule", "requirement", "form", "contract", "exchange", "jsontree"),
		"conformance/internal/execute":  list("paging", "verdict", "target", "pace", "limits", "parallel", "plan", "generate", "request", "rule", "contract", "exchange", "jsontree"),
		"conformance/internal/shrink":   list("execute", "verdict", "target", "limits", "plan", "generate", "request", "rule", "exchange", "jsontree"),
		"conformance/internal/cause":    list("execute", "verdict", "target", "pace", "limits", "plan", "generate", "request", "rule", "exchange", "jsontree"),
		"conformance/internal/diagnose": list("cause", "shrink", "execute", "verdict", "target", "limits", "plan", "generate", "request", "rule", "contract", "jsontree"),
		"conformance/internal/explain":  list("diagnose", "execute", "verdict", "target", "limits", "redact", "plan", "request", "contract", "exchange", "jsontree"),

		// For tests alone: no row has them, so nothing else imports them.
		"conformance/internal/otherservers": {},
		"conformance/internal/fake":         append(list("target", "reach", "plan", "rule", "rules", "schemes", "requirement", "request", "contract", "exchange"), "spec"),
		// Apart from fake, which the tests of verdict use.
		"conformance/internal/fakerun": list("fake", "execute", "verdict", "target", "plan", "exchange", "mutators", "sequences"),

		"conformance/internal/replay":     list("explain", "execute", "verdict", "target", "limits", "plan", "generate", "request", "rule", "parameter", "exchange", "jsontree"),
		"conformance/internal/crosscheck": list("verdict", "limits", "parallel", "redact", "contract", "jsontree"),

		"conformance/internal/rules":      list(append(mechanisms, "paging", "hints")...),
		"conformance/internal/mutators":   list(append(mechanisms, "pattern")...),
		"conformance/internal/schemes":    list(mechanisms...),
		"conformance/internal/sequences":  list(mechanisms...),
		"conformance/internal/lifecycles": list(append(mechanisms, "resource", "paging")...),
		"conformance/internal/causes":     list("cause", "limits", "plan", "request", "verdict"),
		"conformance/internal/coverage":   list(mechanisms...),
		"conformance/formats":             {"conformance/report", "internal/nearest"},

		"conformance": append(list("pace", "paging", "redact", "parallel", "hints", "target", "verdict", "execute", "diagnose", "explain", "replay", "crosscheck", "compare", "merge", "reach", "plan", "generate", "request", "rule", "requirement", "contract", "exchange", "jsontree", "yamltree",
			"rules", "mutators", "schemes", "sequences", "lifecycles", "causes", "coverage", "secondopinion"), "spec", "internal/nearest", "internal/fetch"),
		"conformance/conformancetest": {"conformance", "conformance/report", "conformance/formats"},

		"cmd/conformance":       {"conformance", "conformance/report", "conformance/formats", "spec", "internal/fetch", "internal/nearest", "cmd/internal/proof", "cmd/internal/settings", "cmd/internal/watch"},
		"cmd/plantstore":        {"reference/...", "internal/nearest"},
		"cmd/internal/watch":    {},
		"cmd/internal/settings": {"internal/nearest"},
		"cmd/internal/proof":    {"conformance", "conformance/report", "conformance/formats", "spec", "reference/...", "testdata/crud"},
	}
}

// TestImportsFollowTheArrows: cmd -> conformance -> explain -> diagnose -> execute -> verdict -> target -> plan -> requirement
// -> contract -> {exchange, jsontree, resolve, yamltree}; catalogues import mechanisms.
func TestImportsFollowTheArrows(t *testing.T) {
	allowed := allowedImports()
	for _, f := range sources(t) {
		list, placed := allowed[f.pkg]
		if below(f.pkg, "reference") {
			list, placed = []string{"reference/..."}, true // its rooms are its own affair
		}
		assert.True(t, placed, "%s: package %s has no place among the arrows: add it to allowedImports, below the packages that use it, "+
			"so that data goes one way and nobody hands anything back", f.path, f.pkg)
		if f.test {
			continue // a test may look sideways; what it may not is in the tests below
		}
		for _, own := range f.ours() {
			if slices.ContainsFunc(list, func(a string) bool {
				folder, whole := strings.CutSuffix(a, "/...")
				return own == a || whole && below(own, folder)
			}) {
				continue
			}
			assert.Fail(t, f.path+" imports "+own, whyNot(f.pkg, own))
		}
	}
}

// whyNot gives the reason behind the arrow that an import breaks.
func whyNot(from, to string) string {
	for _, catalogue := range []string{"rules", "mutators", "schemes", "sequences", "causes"} {
		if to == "conformance/internal/"+catalogue {
			return "a mechanism never imports a catalogue: package conformance passes the lists in, so that an entry is added in one place"
		}
	}
	switch {
	case from == "conformance/report":
		return "a report is plain data that any program may read: it imports nothing of ours"
	case strings.HasPrefix(to, "cmd/"):
		return "commands are the top: nothing but a command imports one"
	}
	return "imports point down, cmd -> conformance -> explain -> diagnose -> execute -> verdict -> target -> plan -> requirement -> contract -> {exchange, jsontree, resolve, yamltree}, " +
		"so that a stage can be read and tested without those behind it"
}

func TestSuiteAndReferenceNeverMeetButInProof(t *testing.T) {
	for _, f := range sources(t) {
		if f.pkg == "cmd/internal/proof" {
			continue
		}
		suite, reference := below(f.pkg, "conformance"), below(f.pkg, "reference")
		for _, own := range f.ours() {
			suite = suite || below(own, "conformance")
			reference = reference || below(own, "reference")
		}
		assert.False(t, suite && reference, "%s knows both conformance and reference: one misreading of the specification could "+
			"then hide in both; only cmd/internal/proof puts them together", f.path)
	}
}

func TestOnlySecondOpinionImportsLibopenapiAndHandsOutNoTypeOfIt(t *testing.T) {
	for _, f := range sources(t) {
		if f.test && f.pkg == "cmd/internal/proof" {
			continue // there the library judges the reference server, as a second opinion on it
		}
		if !slices.ContainsFunc(f.imports, func(p string) bool { return strings.HasPrefix(p, "github.com/pb33f/") }) {
			continue
		}
		assert.Equal(t, "conformance/internal/secondopinion", f.pkg, "%s imports libopenapi: it costs half of a cold build, "+
			"and more for each package that reaches its types", f.path)
		for name := range f.syntax.Scope.Objects {
			assert.False(t, !f.test && ast.IsExported(name), "%s: %s stands beside libopenapi: what others reach stands in a file without it", f.path, name)
		}
	}
}

func TestAPackageForTestsStaysInTestsAndAloneSkipsThem(t *testing.T) {
	for _, f := range sources(t) {
		assert.False(t, !f.test && slices.Contains(f.ours(), "internal/sample"), "%s imports internal/sample, which reads the flags of go test", f.path)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok && f.test {
				assert.NotContains(t, []string{"Skip", "Skipf", "SkipNow"}, x.Sel.Name, "%s: a test that is skipped is never run again: "+
					"internal/sample leaves out what the nightly job runs", f.at(n))
			}
			return true
		})
	}
}

func TestTestifyStaysInTests(t *testing.T) {
	for _, f := range sources(t) {
		for _, p := range f.imports {
			assert.False(t, !f.test && strings.HasPrefix(p, "github.com/stretchr/testify"),
				"%s imports %s: users of the suite should not get a test library with it", f.path, p)
		}
	}
}
