package services_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// kept are the cases about what is stored of a value.
var kept = []string{"*/created/*", "*/added/*", "*/replaced/*"}

func TestAServerThatStoresASpellingOfAValueIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "titles are trimmed", "tags are sorted", "put keeps the tags", "shown is true", "titles are in small letters"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "guides.yaml", services.Guides(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

// No word of an answer excuses what a list lacks, and no list must show all that was made.
func TestACommentThatWaitsForAnApprovalIsSuspectedAlone(t *testing.T) {
	t.Parallel()
	r := small(t, "guides.yaml", services.Guides("comments wait"))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Equal(t, []string{"get-guides-guideid-comments-stored-added"}, tripped(r), shown(t, r))
}

func TestAValueThatTheAnswerAndTheStoreHaveWrongIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"views are doubles":     "get-guides-guideid-stored-created",
		"labels are emptied":    "get-guides-guideid-stored-created",
		"titles are in Latin":   "get-guides-guideid-stored-created",
		"comments are not kept": "get-guides-guideid-comments-stored-added",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "guides.yaml", services.Guides(wrong), kept...)
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}

func TestAWrongBoundOfASchemaThatSeveralOperationsShareIsOneFailure(t *testing.T) {
	t.Parallel()
	r := small(t, "guides.yaml", services.Guides("titles may have 65 letters"), "*/invalid/*")
	assert.Equal(t, []string{"newguide-title-max-length"}, tripped(r), shown(t, r))
}

func TestAServerThatGoesByTheTimeOfTheLastChangeIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "within a second it may change", "there are no tags", "tags are weak"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", services.Minutes(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			passed := 0
			for _, x := range r.Results {
				switch x.Requirement {
				case "get-minutes-minutesid-not-modified-since", "get-minutes-minutesid-modified-since", "put-minutes-minutesid-unmodified-since":
					assert.Equal(t, report.Pass, x.Verdict, x.Requirement)
					passed++
				}
			}
			assert.Equal(t, 3, passed)
		})
	}
}

func TestAServerThatDoesNotGoByTheTimeOfTheLastChangeIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"since is ignored":      "get-minutes-minutesid-not-modified-since",
		"since is enough":       "get-minutes-minutesid-modified-since",
		"unmodified is ignored": "put-minutes-minutesid-unmodified-since",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", services.Minutes(wrong), "*/dated/*", "*/stale-date/*")
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}

func TestHowAServerComparesTagsIsJudged(t *testing.T) {
	t.Parallel()
	r := small(t, "minutes.yaml", services.Minutes(""), "*/tagged/*", "*/matched/*", "*/stale-tag/*")
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	verdicts := map[string]report.Verdict{}
	for _, x := range r.Results {
		verdicts[x.Requirement] = x.Verdict
	}
	for _, id := range []string{"get-minutes-minutesid-if-none-match", "get-minutes-minutesid-not-modified", "get-minutes-minutesid-not-modified-fields", "get-minutes-minutesid-modified",
		"put-minutes-minutesid-if-match", "put-minutes-minutesid-match-listed", "put-minutes-minutesid-match-existing", "put-minutes-minutesid-match-weak"} {
		assert.Equal(t, report.Pass, verdicts[id], id)
	}
}

func TestAServerThatComparesTagsInAnotherWayIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"a read compares no tags":     {"get-minutes-minutesid-if-none-match", "get-minutes-minutesid-not-modified"},
		"an asterisk is no tag":       {"get-minutes-minutesid-not-modified"},
		"a weak tag is another one":   {"get-minutes-minutesid-not-modified"},
		"a list is one tag":           {"get-minutes-minutesid-not-modified", "put-minutes-minutesid-match-listed"},
		"304 has no tag":              {"get-minutes-minutesid-not-modified-fields"},
		"an asterisk matches nothing": {"put-minutes-minutesid-match-existing"},
		"a weak tag matches":          {"put-minutes-minutesid-match-weak"},
		"match is ignored":            {"put-minutes-minutesid-if-match"},
		"refused is stored":           {"get-minutes-minutesid-refused-unchanged"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", services.Minutes(wrong), "*/tagged/*", "*/matched/*", "*/stale-tag/*", "*/refused/*")
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}

func TestAPartThatIsNotTheOneOfItsContentRangeIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"":                              nil,
		"a part is the whole":           {"get-minutes-minutesid-partial-content"},
		"a part lacks its last byte":    {"get-minutes-minutesid-partial-content"},
		"the total is that of the part": {"get-minutes-minutesid-partial-content"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", services.Minutes(wrong), "*/ranged/*", "get-minutes-minutesid/valid/*")
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}
