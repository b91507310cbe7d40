package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestARightServerOfSeveralMediaTypesIsConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "badges.yaml", otherservers.Badges(""))
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
		"multipart/form-data":               "post-badges-multipart-form-data-body-holder-required",
		"line":                              "post-badges-text-plain-body-min-length",
		"picture required":                  "post-badges-multipart-form-data-body-picture-required",
		"415 answer":                        "post-badges-why-why-required",
		"text/json refused":                 "post-badges-text-json-valid-accepted",
		"text/plain refused":                "post-badges-text-plain-valid-accepted",
		"application/x-www-form-urlencoded refused": "post-badges-application-x-www-form-urlencoded-valid-accepted",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "badges.yaml", otherservers.Badges(wrong))
			assert.Equal(t, []string{requirement}, tripped(r), shown(t, r))
		})
	}
}

func TestAFaultOfEveryMediaTypeIsReportedOnce(t *testing.T) {
	t.Parallel()
	r := small(t, "badges.yaml", otherservers.Badges("holder required"))
	assert.Equal(t, []string{"badge-holder-required", "post-badges-multipart-form-data-body-holder-required"}, tripped(r), shown(t, r))
}
