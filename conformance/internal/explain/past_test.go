package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
)

func TestWhenRequestsFailedIsNoCauseWhereTheyDifferInThemselves(t *testing.T) {
	for at, distinguished := range map[string]bool{"\U00010000": true, "": false} {
		doc := fakerun.Plants(t, "baseline", "string-values")
		n := 0
		x := explain(t, doc, refusing(doc, "name", func(v *jsontree.Value) bool {
			n++
			if at == "" {
				return n%7 == 0
			}
			return strings.ContainsFunc(v.Text, func(c rune) bool { return c > 0xffff })
		}))
		for i := range x.found {
			f := &x.found[i]
			if x.run.Judge.Bound[f.At].ID != "newplant-name-accepted" {
				continue
			}
			f.Cause = &cause.Cause{Sentence: "since then", Past: true}
			assert.Equal(t, distinguished, x.explain.Failure(f).Cause == "", "%q", at)
			f.Cause = &cause.Cause{Sentence: "behind another"}
			assert.Equal(t, "behind another", x.explain.Failure(f).Cause, "it was seen in experiments")
		}
	}
}
