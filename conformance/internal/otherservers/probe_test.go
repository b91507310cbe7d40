package otherservers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/testdata/wording"
)

func TestProbeLists(t *testing.T) {
	for document := range everyDocument() {
		spec, err := os.ReadFile(document)
		require.NoError(t, err)
		list := func(how func(string) string) map[string]report.ListingEntry {
			text, err := wording.Reword(spec, how)
			require.NoError(t, err)
			l, err := conformance.List(t.Context(), conformance.Config{Spec: text, SpecName: document, Effort: "gate"})
			require.NoError(t, err)
			out := map[string]report.ListingEntry{}
			for _, e := range l.Requirements {
				if e.Level != report.Suspected {
					out[fmt.Sprint(e.Level, " ", e.Requirement)] = e
				}
			}
			return out
		}
		is := list(func(s string) string { return s })
		for name, how := range wording.Ways() {
			got := list(how)
			for id, e := range is {
				g, ok := got[id]
				if !ok {
					fmt.Println(filepath.Base(document), name, "MISSING", id)
				} else if g.Cases != e.Cases || fmt.Sprint(g.Sent) != fmt.Sprint(e.Sent) {
					fmt.Println(filepath.Base(document), name, id, e.Cases, g.Cases, diff(e.Sent, g.Sent))
				}
			}
			for id := range got {
				if _, ok := is[id]; !ok {
					fmt.Println(filepath.Base(document), name, "EXTRA", id)
				}
			}
		}
	}
}

func diff(a, b []string) (out []string) {
	in := map[string]bool{}
	for _, x := range a {
		in[x] = true
	}
	for _, x := range b {
		if !in[x] {
			out = append(out, "+"+x)
		}
		delete(in, x)
	}
	for _, x := range a {
		if in[x] {
			out = append(out, "-"+x)
		}
	}
	return out
}
