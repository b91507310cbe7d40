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
	ground := []string{"openapi", "schema", "hints", "requirement", "message", "plan", "exchange", "jsontree"}
	list := func(names ...string) []string {
		out := []string{"conformance/report", "internal/parallel", "internal/limits"}
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
		"internal/parallel":  {}, // how goroutines end, for whoever starts one
		"internal/limits":    {}, // numbers alone
		"conformance/report": {},

		"conformance/internal/pattern":   {}, // texts and answers alone
		"conformance/internal/jsontree":  {},
		"conformance/internal/redact":    {}, // bytes in, bytes out
		"conformance/internal/yamltree":  list("jsontree"),
		"conformance/internal/exchange":  list(),
		"conformance/internal/hints":     list(), // names and sentences in, guesses out
		"conformance/internal/schema":    list("jsontree", "pattern", "hints"),
		"conformance/internal/openapi":   list("schema", "exchange", "jsontree", "yamltree", "hints"),
		"conformance/internal/resource":  list("openapi", "schema", "hints", "jsontree"),
		"conformance/internal/serialize": list("openapi", "schema", "exchange", "jsontree"),
		"conformance/internal/message":   list("serialize", "openapi", "schema", "exchange", "jsontree"),
		"conformance/internal/plan":      append(list("resource", "message", "openapi", "schema", "hints", "exchange", "jsontree", "pattern"), "internal/nearest"),

		"conformance/internal/requirement": append(list("resource", "hints", "message", "serialize", "openapi", "schema", "exchange", "jsontree", "yamltree"), "internal/nearest"),

		// Lists of entries, which package conformance hands to those below.
		"conformance/internal/auth":   list(ground...),
		"conformance/internal/mutate": list(append(ground, "pattern", "serialize")...),
		"conformance/internal/checks": list(append(ground, "resource")...),

		// The way of one case: each of these knows those before it.
		"conformance/internal/client":   list("exchange"),
		"conformance/internal/explore":  list("resource", "client", "plan", "message", "requirement", "openapi", "schema", "hints", "exchange", "jsontree"),
		"conformance/internal/judge":    list("explore", "redact", "plan", "message", "requirement", "serialize", "openapi", "schema", "hints", "exchange", "jsontree"),
		"conformance/internal/execute":  list("resource", "judge", "explore", "client", "plan", "message", "requirement", "openapi", "schema", "hints", "exchange", "jsontree"),
		"conformance/internal/causes":   list("execute", "judge", "explore", "client", "plan", "message", "requirement", "exchange", "jsontree"),
		"conformance/internal/diagnose": list("causes", "execute", "judge", "explore", "redact", "plan", "message", "requirement", "openapi", "schema", "hints", "exchange", "jsontree"),

		"conformance/internal/reports": list("diagnose", "execute", "judge", "explore", "plan", "message", "requirement", "serialize", "exchange", "jsontree", "client"), // reports in; reports and requests out
		// Only conformance imports it: whoever reaches the types of libopenapi compiles its generic ones again.
		"conformance/internal/secondopinion": list("judge", "redact", "openapi", "schema", "jsontree"),
		"conformance/formats":                {"conformance/report", "internal/nearest"},

		// For tests alone: no row has them, so nothing else imports them.
		"conformance/internal/fake": append(list("explore", "resource", "plan", "checks", "auth", "requirement", "message", "openapi", "schema", "exchange"), "spec"),
		// Apart from fake, which the tests of judge use.
		"conformance/internal/fakerun": list("fake", "execute", "judge", "explore", "plan", "exchange", "mutate"),

		"conformance": append(list("client", "resource", "redact", "hints", "explore", "judge", "execute", "diagnose", "reports", "plan", "message", "requirement", "openapi", "schema", "exchange", "jsontree", "yamltree",
			"checks", "mutate", "auth", "causes", "secondopinion"), "spec", "internal/nearest", "internal/fetch"),
		"conformance/conformancetest": {"conformance", "conformance/report", "conformance/formats"},

		"cmd/conformance":       {"conformance", "conformance/report", "conformance/formats", "spec", "internal/fetch", "internal/nearest", "cmd/internal/proof", "cmd/internal/settings", "cmd/internal/watch"},
		"cmd/plantstore":        {"reference/...", "internal/nearest"},
		"cmd/internal/watch":    {},
		"cmd/internal/settings": {"internal/nearest"},
		"cmd/internal/proof":    {"conformance", "conformance/report", "conformance/formats", "spec", "reference/..."},
	}
}

// TestImportsFollowTheArrows: cmd -> conformance -> reports -> diagnose -> execute -> judge -> explore -> plan -> message -> openapi -> schema -> {exchange, jsontree}.
func TestImportsFollowTheArrows(t *testing.T) {
	t.Parallel()
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
	for _, entries := range []string{"checks", "mutate", "auth"} {
		if to == "conformance/internal/"+entries {
			return "only package conformance knows the lists of entries and passes them in, so that an entry is added in one place"
		}
	}
	switch {
	case from == "conformance/report":
		return "a report is plain data that any program may read: it imports nothing of ours"
	case strings.HasPrefix(to, "cmd/"):
		return "commands are the top: nothing but a command imports one"
	}
	return "imports point down, cmd -> conformance -> reports -> diagnose -> execute -> judge -> explore -> plan -> message -> openapi -> schema -> {exchange, jsontree}, " +
		"so that a stage can be read and tested without those behind it"
}

func TestSuiteAndReferenceNeverMeetButInProof(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if f.pkg == "cmd/internal/proof" {
			continue
		}
		suite, reference := below(f.pkg, "conformance"), below(f.pkg, "reference") && !ofServices(f.pkg)
		for _, own := range f.ours() {
			suite = suite || below(own, "conformance")
			reference = reference || below(own, "reference") && !ofServices(own)
		}
		assert.False(t, suite && reference, "%s knows both conformance and reference: one misreading of the specification could "+
			"then hide in both; only cmd/internal/proof puts them together", f.path)
	}
}

// ofServices reports whether a package is of the services for tests or of their kit, which know
// nothing of the plant store: the suite's tests may use them.
func ofServices(pkg string) bool { return below(pkg, "reference/services") || pkg == "reference/kit" }

func TestOnlySecondOpinionImportsLibopenapiAndHandsOutNoTypeOfIt(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
	for _, f := range sources(t) {
		for _, p := range f.imports {
			assert.False(t, !f.test && strings.HasPrefix(p, "github.com/stretchr/testify"),
				"%s imports %s: users of the suite should not get a test library with it", f.path, p)
		}
	}
}
