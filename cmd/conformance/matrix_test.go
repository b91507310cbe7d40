package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// TestThePublishedMatrixIsOfAllStacksAndAllRequirements: what runs on real stacks takes
// minutes and their toolchains, so that testdata/targets/matrix.sh makes it by hand.
func TestThePublishedMatrixIsOfAllStacksAndAllRequirements(t *testing.T) {
	var m report.Matrix
	require.NoError(t, json.Unmarshal([]byte(source(t, "testdata/targets/matrix.json")), &m))
	var b bytes.Buffer
	require.NoError(t, formats.MatrixMarkdown(&b, &m, formats.Options{}))
	assert.Equal(t, b.String(), source(t, "testdata/targets/MATRIX.md"), "matrix.sh writes both")

	var want, got []string
	for line := range strings.Lines(source(t, "testdata/targets/stacks.txt")) {
		if name, _, _ := strings.Cut(line, " "); name != "#" && name != "" {
			want = append(want, name+"-tutorial", name+"-careful")
		}
	}
	for _, x := range m.Implementations {
		got = append(got, x.Name)
		verdict := report.Conformant
		if strings.HasSuffix(x.Name, "-tutorial") {
			verdict = report.NotConformant
		}
		assert.Equal(t, verdict, x.Verdict, x.Name)
	}
	assert.Equal(t, want, got)

	l, err := conformance.List(t.Context(), conformance.Config{Draws: -1})
	require.NoError(t, err)
	want, got = nil, nil
	for _, r := range l.Requirements {
		if r.Level != report.Open {
			want = append(want, r.Requirement)
		}
	}
	for _, r := range m.Requirements {
		got = append(got, r.Requirement)
	}
	assert.Equal(t, want, got, "the catalogue has changed: run testdata/targets/matrix.sh")
}
