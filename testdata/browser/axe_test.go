package browser

import (
	_ "embed"
	"testing"

	"github.com/stretchr/testify/assert"
)

// axe finds what keeps people from using a page (github.com/dequelabs/axe-core 4.14.1,
// MPL-2.0: testdata/axe.LICENSE). It is the file of the npm package, as it is.
//
//go:embed testdata/axe.min.js
var axe string

// barriers are the findings of axe that are serious or critical, with their first place.
const barriers = `axe.run(document, {resultTypes: ["violations"]}).then((r) => {
  if (r.passes.length < 10) throw new Error("axe looked at nothing");
  return r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => v.id + ": " + v.help + ": " + v.nodes[0].html);
})`

func TestAxeFindsNoSeriousBarrierInBothColourSchemes(t *testing.T) {
	for _, name := range []string{"light", "dark"} {
		for _, file := range []string{"one_fault.html", "conformant.html", "unreachable.html", "hostile.html", "known.html", "matrix.html"} {
			b := start(t).open(golden(t, file), scheme(name))
			assert.Empty(t, findings(b), "%s in %s", file, name)
			b.quiet()
		}
	}
	c := start(t)
	for _, file := range []string{"one_fault.html", "matrix.html"} {
		assert.Empty(t, findings(c.open(golden(t, file), narrow)), "%s, narrow", file)
	}
}

func findings(b *tab) []string {
	b.t.Helper()
	eval[any](b, axe+"; null")
	return eval[[]string](b, barriers)
}

func TestAxeSeesABarrier(t *testing.T) {
	b := start(t).open(golden(t, "one_fault.html"))
	eval[any](b, `document.querySelector("main").insertAdjacentHTML("beforeend", "<button></button><img>"); null`)
	assert.Len(t, findings(b), 2, "the other tests would see them")
}
