package services_test

import (
	"context"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

func TestARightServerOfSeveralMediaTypesIsConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "badges.yaml", services.Badges(""))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
	assert.Equal(t, []string{"POST /badges: request media type application/xml is never sent"}, r.Header.LeftOut)
	assert.Equal(t, []string{"addBadge <- nothing needed"}, r.Reach.Ways)
}

func TestAFaultOfOneMediaTypeIsOneFailure(t *testing.T) {
	t.Parallel()
	for wrong, requirement := range map[string]string{
		"text/json":                         "post-badges-text-json-body-refused",
		"application/x-www-form-urlencoded": "post-badges-application-x-www-form-urlencoded-body-holder-required",
		"multipart/form-data":               "post-badges-multipart-form-data-body-json",
		"line":                              "post-badges-text-plain-body-min-length",
		"picture required":                  "post-badges-multipart-form-data-body-picture-required",
		"415 answer":                        "post-badges-why-why-required",
		"text/json refused":                 "post-badges-text-json-valid-accepted",
		"text/plain refused":                "post-badges-text-plain-valid-accepted",
		"application/x-www-form-urlencoded refused": "post-badges-application-x-www-form-urlencoded-valid-accepted",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "badges.yaml", services.Badges(wrong))
			assert.Equal(t, []string{requirement}, tripped(r), shown(t, r))
		})
	}
}

func TestAFaultOfEveryMediaTypeIsReportedOnce(t *testing.T) {
	t.Parallel()
	r := small(t, "badges.yaml", services.Badges("holder required"))
	assert.Equal(t, []string{"badge-holder-required", "post-badges-multipart-form-data-body-holder-required"}, tripped(r), shown(t, r))
}

// promises are those of the collections of stamps.yaml.
const promises = `paging:
  - {operation: listStamps, limit: per_page, page: page, total: /meta/total, filters: [country], sort: sort_by}
  - {operation: listLetters, limit: limit, cursor: starting_after}
  - {operation: listPostcards, limit: limit, cursor: cursor, next: Link}
`

// paged runs the cases about lists against the collections, with what a requirements file
// promises.
func paged(t *testing.T, wrong, requirements string) *report.Report {
	t.Helper()
	return stamped(t, wrong, requirements, "*/paged/*", "*/filtered/*", "*/ordered/*")
}

// stamped runs the cases of some names.
func stamped(t *testing.T, wrong, requirements string, only ...string) *report.Report {
	t.Helper()
	sample.OneIn(t, oneIn)
	spec, err := os.ReadFile("testdata/stamps.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(services.Stamps(wrong))
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: spec, SpecName: "stamps.yaml", Requirements: []byte(requirements), RequirementsName: "promises.yaml",
		Effort: "gate", Only: only, Cache: shared})
	require.NoError(t, err)
	return r
}

func TestListsWithPagesOfEveryKindKeepWhatIsPromised(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "pages count from 0", "country is exact"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := paged(t, odd, promises)
			assert.Empty(t, tripped(r), shown(t, r))
			for _, x := range r.Results {
				if x.Level == report.Must {
					assert.Contains(t, []report.Verdict{report.Pass, report.Inapplicable}, x.Verdict, x.Requirement+": "+x.Reason)
				}
			}
		})
	}
}

func TestAPageThatNoAnswerSpokeOfMayBeRefused(t *testing.T) {
	t.Parallel()
	r := stamped(t, "only pages of answers", "", "get-letters/valid/*", "get-postcards/valid/*", "*/paged/*")
	assert.Empty(t, tripped(r), shown(t, r))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}

func TestEachFaultOfAListIsFoundByItsOwnRequirement(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"page is ignored":             "get-stamps-pages-disjoint",
		"country is ignored":          "get-stamps-filtered-country",
		"order is ignored":            "get-stamps-sorted",
		"numbers are sorted as texts": "get-stamps-sorted",
		"total of the page":           "get-stamps-total",
		"the last item again":         "get-letters-pages-disjoint",
		"the link skips one":          "get-postcards-pages-complete",
		"no link":                     "get-postcards-pages-complete",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, []string{want}, tripped(paged(t, wrong, promises)))
			r := paged(t, wrong, "")
			assert.Empty(t, tripped(r), "nothing is promised")
			seen := map[string]bool{}
			for _, o := range r.Observed {
				for _, s := range o.Seen {
					seen[o.Requirement] = seen[o.Requirement] || s.What != "holds"
				}
			}
			assert.True(t, seen[want], "%v", r.Observed)
		})
	}
}

func TestAFaultOfAListIsReplayedByItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "stamps.yaml", services.Stamps("the last item again"), promises, "*/paged/*")
	assert.Equal(t, "get-letters-pages-disjoint", out.Failures[0].Requirement)
}

func TestWhatIsPromisedOfAListAndCannotBeTriedIsNeverGreen(t *testing.T) {
	t.Parallel()
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stamps: {get: {operationId: list, parameters: [{name: country, in: query, schema: {type: string}}],
	  responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {type: object, properties: {id: {type: integer}, country: {type: string}}}}}}}}}}}}}}`
	server := httptest.NewServer(services.Stamps(""))
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: []byte(document), Requirements: []byte("paging: {filters: [country]}"), Cache: shared})
	require.NoError(t, err)
	assert.Empty(t, tripped(r))
	assert.Equal(t, report.Incomplete, r.Summary.Verdict, "no operation makes a stamp of a known country")
}
