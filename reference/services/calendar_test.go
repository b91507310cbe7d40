package services_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

func TestAServerThatRefusesWhatTheDocumentSaysInEachStateIsConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "ballots.yaml", services.Ballots(""))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
}

func TestWhatBreaksASentenceOfTheDocumentIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"opening":  "post-ballots-ballotid-open-state-refused",
		"closing":  "post-ballots-ballotid-close-state-refused",
		"deletion": "delete-ballots-ballotid-state-refused",
		"note":     "get-ballots-ballotid-replaced-members",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "ballots.yaml", services.Ballots(wrong))
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}

func TestAListIsJudgedByItsFiltersItsOrderAndWhatIsAdded(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"the first of several people counts": {"get-chores-filtered-who"},
		"nobody is several people":           {"get-chores-filtered-who"},
		"oldest first":                       {"get-chores-newest-first"},
		"nothing is kept":                    {"get-chores-stored-added"},
		"":                                   {},
		"who is ignored beside room":         {"get-chores-filtered-who"},
		"later pages forget the room":        {"get-chores-filtered-room"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "chores.yaml", services.Chores(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}

// Every PUT of a life has the code that its site was made with.
func TestTheLivesOfThingsWithAMemberThatNeverChangesAreJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{"": {}, "put keeps nothing": {"get-sites-id-stored-replaced"}} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "sites.yaml", services.Sites(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
			assert.NotEqual(t, report.Incomplete, r.Summary.Verdict, shown(t, r))
		})
	}
}

// ofValid are the requirements about valid requests that failed, with their evidence.
func ofValid(r *report.Report) (musts, suspected []string) {
	for _, x := range r.Results {
		switch {
		case x.Verdict == report.Fail && x.Level == report.Suspected:
			suspected = append(suspected, x.Requirement)
			for _, e := range x.Evidence {
				suspected = append(suspected, e.Fact)
			}
		case x.Verdict == report.Fail:
			musts = append(musts, x.Requirement)
		}
	}
	return musts, suspected
}

func TestARuleThatNoDocumentStatesIsSuspectedWhateverTheStatusOfItsRefusals(t *testing.T) {
	t.Parallel()
	for rule, about := range map[string]string{
		"":                                "",
		"hosts exist, 404":                "query/hosted",
		"hosts exist, 400":                "query/hosted",
		"hosts exist, 422":                "query/hosted",
		"filters have a syntax, 400":      "query/narrow",
		"filters have a syntax, 422":      "query/narrow",
		"plans exist, 400":                "/plan",
		"plans exist, 404":                "/plan",
		"plans exist, 422":                "/plan",
		"badges exist, 422":               "/badge",
		"badges exist, 404":               "/badge",
		"names are reserved, 400":         "/guest",
		"seats in fives, 422":             "/seats",
		"no seats for a short visit, 422": "/seats",
		"sometimes down, 503":             "",
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			r := small(t, "visits.yaml", services.Visits(rule))
			musts, suspected := ofValid(r)
			assert.Empty(t, musts, shown(t, r))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Zero(t, r.Summary.Unsettled, shown(t, r))
			if about == "" {
				assert.Empty(t, suspected, shown(t, r))
				return
			}
			require.NotEmpty(t, suspected)
			status := rule[len(rule)-3:]
			said := fmt.Sprintf("values of %s are refused: %s ", about, status)
			assert.True(t, slices.ContainsFunc(suspected, func(s string) bool { return len(s) > len(said) && s[:len(said)] == said }), "%q in %q", said, suspected)
		})
	}
}

func TestARefusalOfWhatTheDocumentStatesIsAFailure(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string][]string{
		"no new, 400":                {"get-visits-query-order-accepted"},
		"no new, 422":                {"get-visits-query-order-accepted"},
		"most is below 100, 400":     {"get-visits-query-most-accepted"},
		"no long visit, 400":         {"post-visits-body-kind-accepted"},
		"no mail, 400":               {"post-visits-body-mail-accepted"},
		"guest shorter than 40, 400": {"post-visits-body-guest-accepted"},
		"guest first, 400":           {"post-visits-valid-accepted"},
		"every ninth, 400":           nil,
		"undocumented, 418":          {"post-visits-body-plan-accepted"},
		"plans exist, 409":           {"post-visits-body-plan-accepted"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			r := small(t, "visits.yaml", services.Visits(rule))
			musts, _ := ofValid(r)
			assert.NotEmpty(t, musts, shown(t, r))
			for _, id := range want {
				assert.Contains(t, musts, id, shown(t, r))
			}
			assert.Equal(t, report.NotConformant, r.Summary.Verdict)
		})
	}
}

func TestEveryValidRequestHasToBeAcceptedWhereTheRequirementsFileSaysSo(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{"": "", "hosts exist, 404": "get-visits-query-hosted-accepted", "plans exist, 422": "post-visits-body-plan-accepted", "names are reserved, 400": "post-visits-body-guest-accepted"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			r := configured(t, "visits.yaml", services.Visits(rule), conformance.Config{Requirements: []byte("valid: accepted\n")})
			musts, suspected := ofValid(r)
			assert.Empty(t, suspected)
			if want == "" {
				assert.Empty(t, musts, shown(t, r))
				return
			}
			assert.Contains(t, musts, want, shown(t, r))
		})
	}
}

// A replay does not know what else the run accepted.
func TestAFailureThatOtherRequestsShowIsReplayedFromItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "visits.yaml", services.Visits("most is below 100, 400"), "", "get-visits/valid/*")
	assert.Equal(t, "get-visits-query-most-accepted", out.Failures[0].Requirement)
	assert.Equal(t, report.Fail, out.Failures[0].Verdict)
}
