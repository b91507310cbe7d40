package formats_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func junit(t *testing.T, r *report.Report, o formats.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.JUnit(&b, r, o))
	return b.Bytes()
}

// suite is what a CI reads of the output.
type suite struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Cases    []struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
		Out     *string   `xml:"system-out"`
	} `xml:"testcase"`
}

func read(t *testing.T, data []byte) suite {
	t.Helper()
	var s struct {
		Tests    int     `xml:"tests,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Suites   []suite `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(data, &s))
	all := suite{}
	for _, x := range s.Suites {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+x.Tests, all.Failures+x.Failures, all.Errors+x.Errors, all.Skipped+x.Skipped
		all.Cases = append(all.Cases, x.Cases...)
	}
	require.Equal(t, []int{all.Tests, all.Failures, all.Errors}, []int{s.Tests, s.Failures, s.Errors})
	return all
}

func TestJUnitIsAsRecorded(t *testing.T) {
	golden(t, "one_fault.xml", junit(t, oneFault(), formats.Options{}))
	golden(t, "known.xml", junit(t, expected(), formats.Options{}))
	golden(t, "out_of_date.xml", junit(t, outOfDate(), formats.Options{}))
	golden(t, "unreachable.xml", junit(t, unreachable(), formats.Options{}))
	golden(t, "hostile.xml", junit(t, hostile(), formats.Options{}))
}

func TestJUnitGivesEachVerdictItsElement(t *testing.T) {
	r := oneFault()
	r.Results = append(r.Results,
		report.Result{Requirement: "unsure", Level: report.Must, Verdict: report.Inconclusive},
		report.Result{Requirement: "ours", Level: report.Must, Verdict: report.Error, Reason: "a bug"},
		report.Result{Requirement: "seen", Level: report.Open, Verdict: report.Pass})
	s := read(t, junit(t, r, formats.Options{}))
	got := map[string]string{}
	for _, c := range s.Cases {
		for kind, is := range map[string]bool{"failure": c.Failure != nil, "error": c.Error != nil,
			"skipped": c.Skipped != nil, "out": c.Out != nil} {
			if is {
				got[c.Class+" "+c.Name] += kind
			}
		}
	}
	assert.Equal(t, map[string]string{
		"MUST thing-size-type": "failure", "MUST parallel": "skipped", "SHOULD scheme-any-case": "out",
		"MUST unsure": "error", "MUST ours": "error", "OPEN seen": "skipped",
		"OPEN duplicate-size": "skipped", "OPEN empty-label": "skipped",
	}, got)
	assert.Equal(t, []int{9, 1, 2, 4}, []int{s.Tests, s.Failures, s.Errors, s.Skipped})

	gate := read(t, junit(t, r, formats.Options{FailOn: report.Should}))
	assert.Equal(t, 2, gate.Failures)
}

func TestJUnitHasASuiteForEachCategoryTheWorstFirst(t *testing.T) {
	names := regexp.MustCompile(`<testsuite name="([^"]*)" tests="(\d+)"`).FindAllStringSubmatch(string(junit(t, twice(), formats.Options{})), -1)
	var got []string
	for _, m := range names {
		got = append(got, m[1]+" "+m[2])
	}
	assert.Equal(t, []string{"Thing Store 1.0.0 (things.yaml): leniency 2", "Thing Store 1.0.0 (things.yaml): protocol 1", "Thing Store 1.0.0 (things.yaml) 4"}, got)
}

func TestJUnitOfARunThatEndedEarlyIsNeverGreen(t *testing.T) {
	r := conformant()
	r.Summary.Verdict, r.Summary.Reasons = report.Incomplete, []string{"interrupted"}
	assert.Equal(t, 1, read(t, junit(t, r, formats.Options{})).Errors)
	for _, r := range []*report.Report{noCase(), new(report.Report)} {
		assert.Equal(t, 1, read(t, junit(t, r, formats.Options{})).Errors)
	}
}

// element is an element of the XSD of Jenkins (junit-10.xsd): its attributes, and the
// elements in it. What it needs has an exclamation mark.
type element struct{ attributes, inside string }

// jenkins is that XSD, written down again: encoding/xml ignores what it does not know.
func jenkins() map[string]element {
	note := element{"type message", ""}
	return map[string]element{
		"":           {"", "testsuites testsuite"},
		"testsuites": {"name time tests failures errors", "testsuite"},
		"testsuite": {"name! tests! failures! errors! group time skipped timestamp hostname id package file log url",
			"testsuite properties testcase system-out system-err"},
		"properties": {"", "property"},
		"property":   {"name! value!", ""},
		"testcase":   {"name! time classname group", "skipped error failure system-out system-err"},
		"skipped":    note, "error": note, "failure": note,
		"system-out": {}, "system-err": {},
	}
}

func TestJUnitHasOnlyWhatTheXSDOfJenkinsAllows(t *testing.T) {
	stopped := oneFault()
	stopped.Summary.Verdict, stopped.Header.NamedCases, stopped.Header.Traced = report.Incomplete, true, true
	time := regexp.MustCompile(`^[0-9]{0,3}([0-9]{3})*(\.[0-9]*)?$`)
	for name, r := range map[string]*report.Report{"one fault": oneFault(), "conformant": conformant(), "known": expected(),
		"out of date": outOfDate(), "unreachable": unreachable(), "hostile": hostile(), "no case": noCase(), "stopped": stopped} {
		d := xml.NewDecoder(bytes.NewReader(junit(t, r, formats.Options{})))
		inside := []string{""}
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, name)
			switch x := token.(type) {
			case xml.StartElement:
				parent := inside[len(inside)-1]
				require.Contains(t, strings.Fields(jenkins()[parent].inside), x.Name.Local, "%s: in %q", name, parent)
				is := strings.Fields(jenkins()[x.Name.Local].attributes)
				for _, a := range x.Attr {
					at := slices.IndexFunc(is, func(s string) bool { return strings.TrimSuffix(s, "!") == a.Name.Local })
					require.GreaterOrEqual(t, at, 0, "%s: %s has %s", name, x.Name.Local, a.Name.Local)
					is = slices.Delete(is, at, at+1)
					if a.Name.Local == "time" {
						require.Regexp(t, time, a.Value, name)
					}
				}
				require.NotContains(t, strings.Join(is, " "), "!", "%s: %s lacks an attribute", name, x.Name.Local)
				inside = append(inside, x.Name.Local)
			case xml.EndElement:
				inside = inside[:len(inside)-1]
			case xml.CharData:
				if jenkins()[inside[len(inside)-1]].inside != "" {
					require.Empty(t, strings.TrimSpace(string(x)), name)
				}
			}
		}
	}
}
