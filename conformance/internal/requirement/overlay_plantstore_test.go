package requirement_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/yamltree"
	"plantstore/conformance/report"
	"plantstore/spec"
)

func plantStore(t *testing.T) (*openapi.Contract, *requirement.Set, *requirement.Set) {
	t.Helper()
	c, derived := load(t, string(spec.OpenAPI))
	out, err := requirement.Overlay(derived, c, "requirements.yaml", spec.Requirements, rules())
	require.NoError(t, err)
	return c, derived, out
}

// sections are the headings of the service specification, a heading of the
// third level behind its own of the second.
func sections() []string {
	return []string{
		"What the service does",
		"Resources and their fields",
		"Resources and their fields, Plant",
		"Resources and their fields, NewPlant (the request body of create)",
		"Resources and their fields, Error",
		"Resources and their fields, Gaps",
		"States and transitions",
		"Endpoints",
		"Endpoints, Create plant",
		"Authentication",
		"Events",
		"Errors",
		"Limits",
		"Versioning",
	}
}

func TestEveryDerivedRowOfThePlantStoreHasItsOwnWords(t *testing.T) {
	_, derived, out := plantStore(t)
	tree, err := yamltree.Parse("requirements.yaml", spec.Requirements)
	require.NoError(t, err)
	given := map[string]bool{}
	for _, row := range tree.Root.Get("requirements").Items {
		given[row.Get("id").Text] = true
		for _, key := range []string{"sentence", "level", "section"} {
			assert.NotNil(t, row.Get(key), "%s: %s", row.Get("id").Text, key)
		}
	}
	// Its file says that valid requests are accepted.
	derived.List = slices.DeleteFunc(derived.List, func(r *requirement.Requirement) bool { return r.Rule == "undocumented-rule" })
	derived.List = slices.DeleteFunc(derived.List, func(r *requirement.Requirement) bool { return r.Rule == "belongs" }) // the file has its own
	for _, r := range derived.List {
		assert.True(t, given[r.ID], r.ID)
		assert.NotEqual(t, r.Sentence, out.Find(r.ID).Sentence, r.ID)
		assert.Equal(t, r.Level, out.Find(r.ID).Level, r.ID)
	}
	assert.Equal(t, derived.IDs(), out.IDs()[:len(derived.List)])
}

func TestEveryClauseOfThePlantStoreLeadsSomewhere(t *testing.T) {
	c, _, out := plantStore(t)
	rule := regexp.MustCompile(`^(Endpoints, Create plant), rule [12]$`)
	rfc := regexp.MustCompile(`^(RFC \d{4}(, \d+(\.\d+)*( and \d+(\.\d+)*)?)?(; )?)*$`)
	for _, r := range out.List {
		assert.Contains(t, sections(), rule.ReplaceAllString(r.Clause.Section, "$1"), r.ID)
		assert.Regexp(t, rfc, r.Clause.RFC, r.ID)
		if r.Clause.Pointer != "" {
			assert.True(t, c.Resolves(r.Clause.Pointer), "%s: %s", r.ID, r.Clause.Pointer)
		}
	}
}

func TestSentencesOfThePlantStoreAreSentencesAndDiffer(t *testing.T) {
	_, _, out := plantStore(t)
	seen := map[string]string{}
	for _, r := range out.List {
		assert.Regexp(t, `^[A-Z].*\.$`, r.Sentence, r.ID)
		assert.Empty(t, seen[r.Sentence], r.ID)
		seen[r.Sentence] = r.ID
	}
}

func TestEveryGapOfTheSpecificationHasItsOpenPoints(t *testing.T) {
	_, derived, out := plantStore(t)
	covered := map[string]bool{}
	// Each line is a "not shown" of the service specification.
	for gap, ids := range map[string]string{
		"other operations of the store":                 "open-other-operations",
		"constraints on name":                           "open-name-length open-name-empty open-name-characters open-name-uniqueness",
		"constraints on tag":                            "open-tag-values",
		"constraints on id":                             "open-id-range open-id-uniqueness",
		"fields of a stored plant":                      "open-plant-fields open-stored-plant",
		"transitions":                                   "open-states",
		"other endpoints":                               "open-other-endpoints",
		"response headers":                              "open-response-headers",
		"conditions of the 400: the JSON":               "open-number-spelling open-number-size open-unknown-members open-duplicate-names open-encoding open-nesting",
		"conditions of the 400: the request around it":  "open-content-type open-accept open-transfer",
		"token issuance, format and scopes":             "open-token-issuance open-token-format open-token-scopes",
		"the response to a missing or invalid token":    "open-credential-refusal open-credential-first",
		"events, webhooks and notifications":            "open-events",
		"meaning and list of values of error":           "open-error-numbers",
		"status codes other than 200 and 400":           "open-other-statuses",
		"rate limits":                                   "open-rate-limits",
		"size limits":                                   "open-body-size open-header-size",
		"time-outs":                                     "open-time-outs",
		"pagination bounds":                             "open-pagination",
		"versioning scheme, compatibility, deprecation": "open-versioning",
	} {
		for id := range strings.FieldsSeq(ids) {
			covered[id] = true
			assert.NotNil(t, out.Find(id), "%s: %s", gap, id)
		}
	}
	for _, r := range out.List[len(derived.List):] {
		judged := r.Rule != "observe" && r.Rule != "unobservable"
		assert.Equal(t, judged, r.Level != report.Open, r.ID)
		assert.Equal(t, !judged, strings.HasPrefix(r.ID, "open-"), r.ID)
		assert.Equal(t, !judged, covered[r.ID], "%s: of which gap?", r.ID)
		assert.Equal(t, r.Rule == "observe", len(r.Args.Classes) > 0, r.ID)
		assert.Equal(t, judged && r.Rule != "belongs", r.Args.From != "" && r.Args.To != "", r.ID)
	}
}

func TestAGivenTagMayBeRefusedByThePlantStore(t *testing.T) {
	c, _, _ := plantStore(t)
	shape := c.Operations[0].Body.Shape
	require.Contains(t, shape.Domains, "/tag")
	assert.Equal(t, "may-refuse", shape.Domains["/tag"].Given)
	assert.Contains(t, shape.Domains["/tag"].Examples, "flower")
	assert.Len(t, shape.Domains, 1)
	assert.Equal(t, openapi.MayRefuse, shape.Read([]byte(`{"id":1,"name":"a1","tag":"x"}`)).Kind)
}
