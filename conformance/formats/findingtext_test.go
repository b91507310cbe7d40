package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// many is a report with findings of ten kinds, each at several places.
func many() *report.Report {
	r := conformant()
	r.Observed, r.Results = nil, nil
	n := 0
	add := func(level report.Level, x report.Flaw, places int) {
		for i := range places {
			n++
			body := `{"errno":999,"message":"An error occurred."}`
			r.Results = append(r.Results, report.Result{Requirement: fmt.Sprintf("post-%d-%s-%d", i, x.Rule, n), Level: level, Verdict: report.Fail, Operation: fmt.Sprint("POST /", i),
				Sentence: "A sentence.", Cases: report.Cases{Judged: 4, Failed: 2}, Failures: []report.Failure{{N: n, Stable: true, Minimal: true, Flaw: x, Sent: "/a = null",
					Expected: "400", Got: "500 Internal Server Error", Steps: []report.Step{step("{}", body)}, Replay: "conformance replay a/b/0"}}})
		}
	}
	add(report.Must, report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Means: "a value that the schema forbids is accepted", Kind: "type/null", Where: "string in body", Alike: 9}, 8)
	add(report.Must, report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Means: "a value that the schema forbids is accepted", Kind: "required", Where: "object in body", Alike: 8}, 5)
	add(report.Must, report.Flaw{Category: report.Leniency, Rule: "refuses-syntax", Tells: report.TellsSyntax, Mild: true, Means: "a body that is not JSON is accepted", OnePlace: true, Kind: "syntax/behind"}, 4)
	add(report.Must, report.Flaw{Category: report.Crash, Rule: "answered", Means: "a request gets no answer, or a server error", Kind: "500/field/If-None-Match"}, 3)
	add(report.Must, report.Flaw{Category: report.Crash, Rule: "answered", Means: "a request gets no answer, or a server error", Kind: "500/empty", Where: "body"}, 1)
	add(report.Must, report.Flaw{Category: report.Security, Rule: "refuses-credential", Tells: report.TellsCredential, Means: "a request without the right credential is answered like one with it", Kind: "credential/absent"}, 3)
	add(report.Must, report.Flaw{Category: report.Loss, Rule: "stored-patched", Means: "reading gives other values than those of the PATCH"}, 1)
	add(report.Must, report.Flaw{Category: report.Answer, Rule: "refusal-status", Tells: report.TellsStatus, Means: "a refusal has a status that is not documented", OnePlace: true, Kind: "422"}, 6)
	add(report.Should, report.Flaw{Category: report.Protocol, Rule: "accepts-credential", Means: "the right credential is refused when it is written in another valid way"}, 2)
	add(report.Suspected, report.Flaw{Category: report.Guessed, Rule: "undocumented-rule", Means: "values are refused by a rule that no schema states"}, 1)
	return r
}

func TestTenFindingsFitAScreenTheWorstFirst(t *testing.T) {
	r := many()
	r.Summary.Verdict = report.NotConformant
	out := text(t, r, formats.Options{})
	above, _, _ := strings.Cut(out, "\nlearned ")
	assert.LessOrEqual(t, strings.Count(above, "\n"), 56)
	var order []string
	for line := range strings.Lines(out) {
		if word, _, _ := strings.Cut(line, " "); strings.Contains(" crash security loss answer leniency protocol suspected ", " "+word+" ") {
			order = append(order, strings.Join(strings.Fields(line), " "))
		}
	}
	assert.Equal(t, []string{"crash The answer is 500 if If-None-Match is sent: 3 operations", "crash POST /0: the answer is 500 if the body is empty",
		"security Requests without a credential are answered like those with the right one: 3 operations",
		"loss POST /0: reading gives other values than those of the PATCH", "answer A refusal has a status that is not documented: 422: 6 operations",
		"leniency A request without a required member is accepted: 5 operations", "leniency Null is accepted where a string is documented: 8 operations",
		"leniency Text behind a JSON body is accepted: 4 operations", "protocol The right credential is refused when it is written in another valid way: 2 operations",
		"suspected POST /0: values are refused by a rule that no schema states"}, order)
	assert.Contains(t, out, "NOT CONFORMANT: 2 crash, 1 security, 1 loss, 1 answer, 3 leniency (31 of 31 MUST requirements failed)\n")
}

func TestVerboseShowsEveryMemberAndEveryField(t *testing.T) {
	out := text(t, many(), formats.Options{Verbose: true})
	for _, x := range many().Results {
		assert.Contains(t, out, x.Requirement)
	}
	assert.Contains(t, out, "     rule      A sentence.")
	assert.NotContains(t, text(t, many(), formats.Options{}), "     rule ")
}

func TestAFindingHasItsIDAndTheReplayOfAllOfIt(t *testing.T) {
	r := many()
	r.Header.ReplayFlags = "--target http://127.0.0.1:8080"
	list := report.Findings(r.Results)
	short, full := text(t, r, formats.Options{}), text(t, r, formats.Options{Verbose: true})
	for _, f := range list {
		all := "conformance replay REPORT.json " + f.ID + " --target http://127.0.0.1:8080\n"
		assert.Contains(t, short, " ["+f.ID+"]\n")
		assert.Equal(t, len(f.Members) > 1, strings.Contains(short, fmt.Sprintf("  # all %d: %s", len(f.Members), all)), f.ID)
		assert.Equal(t, len(f.Members) > 1, strings.Contains(full, fmt.Sprintf("     %-10s%s", fmt.Sprintf("all %d", len(f.Members)), all)), f.ID)
		assert.Contains(t, markdown(t, r, formats.Options{}), f.ID)
	}
}

func TestTheServersWordsAreShown(t *testing.T) {
	assert.Contains(t, text(t, many(), formats.Options{}), `     got       500 Internal Server Error  {"errno":999,"message":"An error occurred."}`)
}

func TestCategoriesDecideWhatFailsARun(t *testing.T) {
	r := many()
	r.Header.FailOn = "security,loss"
	r.Summary.Verdict = report.NotConformant
	out := text(t, r, formats.Options{FailOn: "security,loss"})
	assert.Contains(t, out, "NOT CONFORMANT: 1 security, 1 loss (31 of 31 MUST requirements failed)\n")
	assert.Contains(t, out, "\nWARN post-0-answered-")
	assert.Contains(t, out, "\nFAIL post-0-stored-patched-")

	r.Summary.Verdict = report.PassedOver
	r.Header.FailOn = "protocol"
	assert.Contains(t, text(t, r, formats.Options{FailOn: "protocol"}), "\npassed: 2 crash, 1 security, 1 loss, 1 answer, 3 leniency, 1 protocol, 1 suspected outside --fail-on protocol\n")
}

func TestReasonsTheUserCanMendComeFirstAndOneReasonIsOneRow(t *testing.T) {
	r := conformant()
	for i, why := range []string{"no case could be tried", "no case could be tried", "name a /tag with --value '/tag=VALUE'", "suppressed by a", "suppressed by b"} {
		r.Results = append(r.Results, report.Result{Requirement: fmt.Sprint("r", i), Level: report.Must, Verdict: report.Inconclusive, Reason: why})
	}
	assert.Contains(t, text(t, r, formats.Options{}), `
inconclusive: 5 requirements
  r2 (MUST): name a /tag with --value '/tag=VALUE'
  2: no case could be tried: r0 (MUST), r1 (MUST)
  2: suppressed by failures above: r3 (MUST), r4 (MUST)
`)
	r.Header.LeftOut = []string{"GET /a: bodies of image/png are not judged", "12 values are not tried", "GET /b: bodies of image/png are not judged"}
	assert.Contains(t, text(t, r, formats.Options{}), "\nleft out  2 times bodies of image/png are not judged (GET /a, GET /b); 12 values are not tried\n")
}

// manyKnown is a report with one known fault of 60 requirements, each with a reason of its own or
// with one.
func manyKnown(reason func(i int) string) *report.Report {
	r := conformant()
	for i := range 60 {
		id := fmt.Sprintf("thing-member%d-type", i)
		x := result(id, report.Must, "A member is an integer.", "openapi.yaml#/components/schemas/Thing")
		x.Operation, x.Verdict = "POST /things", report.Fail
		x.Known = &report.Known{Line: i + 1, Reason: reason(i)}
		x.Failures = []report.Failure{{N: i + 1, Sent: "null", Got: "200 OK", Flaw: report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Kind: "type/null", Where: "integer in body"}}}
		r.Results = append(r.Results, x)
	}
	r.KnownFailures = &report.KnownFailures{File: report.File{Name: "known.yaml"}, Entries: 60}
	r.Summary.Verdict, r.Summary.Known = report.OnlyKnown, 60
	return r
}

func TestKnownFailuresAreALineForEachFinding(t *testing.T) {
	r := manyKnown(func(int) string { return "The gateway reads null." })
	const sentence = "POST /things: null is accepted where an integer is documented: 60 places"
	for name, out := range map[string]string{"text": text(t, r, formats.Options{}), "markdown": markdown(t, r, formats.Options{})} {
		assert.Equal(t, 1, strings.Count(out, sentence), "%s: %s", name, out)
		assert.Equal(t, 1, strings.Count(out, "The gateway reads null."), name)
		assert.Equal(t, 1, strings.Count(out, "thing-member"), name)
		assert.Contains(t, out, "and 59 more", name)
	}
	page := asHTML(t, r, formats.Options{})
	assert.Equal(t, 1, strings.Count(page, `<details class="known">`))
	assert.Contains(t, page, sentence+"</bdi>: <bdi>The gateway reads null.</bdi> (60)</summary>")
	assert.Equal(t, 60, strings.Count(page, `<article class="result"`), "what opens has each of them")

	all := text(t, r, formats.Options{Verbose: true})
	assert.Contains(t, all, "\nKNOWN thing-member0-type (MUST)")
	assert.Contains(t, all, "     reason    The gateway reads null.\n")
}

func TestReasonsOfOneFindingThatDifferAreCounted(t *testing.T) {
	r := manyKnown(func(i int) string { return fmt.Sprintf("Reason %d.", i) })
	assert.Contains(t, text(t, r, formats.Options{}), ": Reason 0.; and 59 other reasons\n")
}

func TestAFailureThatSeveralRequestsShowHasTheWordsOfTheServer(t *testing.T) {
	r := many()
	f := &r.Results[20].Failures[0] // the crash for an empty body
	f.Story, f.Steps, f.Flaw.Said = []string{"POST /0 is answered with 201", "PUT /0/1 is answered with 500"}, nil, "UNIQUE constraint failed"
	out := text(t, r, formats.Options{})
	assert.Contains(t, out, "500 Internal Server Error  UNIQUE constraint failed")
	f.Story, f.Steps = nil, []report.Step{step("{}", "{\n  \"message\": \"UNIQUE constraint failed\"\n}")}
	assert.Contains(t, text(t, r, formats.Options{}), "500 Internal Server Error  UNIQUE constraint failed")
}
