package formats_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// command is a workflow command as GitHub's runner reads it.
type command struct {
	name, message string
	properties    map[string]string
}

// commands reads what the runner would: each line has to be a command.
func commands(t *testing.T, r *report.Report, o formats.Options) []command {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.GitHub(&b, r, o))
	form := regexp.MustCompile(`^::(error|warning|notice) ([^\r\n]*?)::([^\r\n]*)$`)
	decode := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace
	var out []command
	for line := range strings.SplitSeq(strings.TrimSuffix(b.String(), "\n"), "\n") {
		m := form.FindStringSubmatch(line)
		require.NotNil(t, m, "%q is no command", line)
		c := command{name: m[1], message: decode(m[3]), properties: map[string]string{}}
		for p := range strings.SplitSeq(m[2], ",") {
			key, value, found := strings.Cut(p, "=")
			require.True(t, found, "%q", line)
			assert.NotContains(t, c.properties, key)
			c.properties[key] = decode(value)
		}
		out = append(out, c)
	}
	return out
}

func TestGitHubIsAsRecorded(t *testing.T) {
	recorded(t, "github.txt", formats.GitHub)
}

func TestGitHubGetsAnErrorForAMustAndAWarningForAShould(t *testing.T) {
	names := func(r *report.Report, o formats.Options) (out []string) {
		for _, c := range commands(t, r, o) {
			out = append(out, c.name+" "+c.properties["title"])
		}
		return out
	}
	assert.Equal(t, []string{"error thing-size-type (MUST)", "warning scheme-any-case (SHOULD)"}, names(oneFault(), formats.Options{}))
	assert.Equal(t, []string{"error thing-size-type (MUST)", "error scheme-any-case (SHOULD)"}, names(oneFault(), formats.Options{FailOn: report.Should}))
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report)} {
		assert.Equal(t, []string{"error conformance"}, names(r, formats.Options{}))
	}
	assert.Equal(t, []string{"notice conformance"}, names(conformant(), formats.Options{}))
	also := oneFault()
	also.Summary.Reasons = []string{"interrupted"}
	assert.Equal(t, "error conformance", names(also, formats.Options{})[0])
}

func TestNoTextBreaksACommandOfGitHub(t *testing.T) {
	for _, evil := range append(attacks(), "\n::error::gotcha", "\r\n::stop-commands::x", "a::b", "a,file=gotcha", "%0A::error::gotcha", "%3A%2C%25") {
		list := commands(t, attacked(evil), formats.Options{})
		require.Len(t, list, 3)
		for _, c := range list[1:] {
			assert.Equal(t, formats.Escape(evil), c.properties["file"])
			assert.Contains(t, c.message, "sent "+formats.Escape(evil))
			assert.Len(t, c.properties, 3)
		}
	}
}
