package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/plan"
)

func TestACaseTellsTheStoryThatItsEntryPromises(t *testing.T) {
	t.Parallel()
	for document, cases := range map[string]map[string]string{
		"albums": {
			"get-albums-albumid/sequence/created/read/0":                         "addAlbum getAlbum",
			"get-albums-albumid/sequence/replaced/read/0":                        "addAlbum getAlbum putAlbum getAlbum",
			"get-albums-albumid/sequence/patched/read/0":                         "addAlbum getAlbum patchAlbum getAlbum",
			"get-albums-albumid/sequence/refused/patch-albums-albumid/0":         "addAlbum getAlbum patchAlbum? getAlbum",
			"get-albums-albumid/sequence/refused/put-albums-albumid/0":           "addAlbum getAlbum putAlbum? getAlbum",
			"get-albums-albumid/sequence/deleted/delete-albums-albumid/0":        "addAlbum getAlbum dropAlbum getAlbum",
			"patch-albums-albumid/sequence/deleted/delete-albums-albumid/0":      "addAlbum getAlbum dropAlbum patchAlbum",
			"get-albums-albumid-tracks/sequence/deleted/delete-albums-albumid/0": "addAlbum listTracks dropAlbum listTracks",
			"get-albums-albumid/sequence/never-given/read/0":                     "addAlbum getAlbum",
			"get-albums-albumid/sequence/carried-over/read/0":                    "addAlbum getAlbum addAlbum' addAlbum' getAlbum'",
			"put-albums-albumid/sequence/never-given/put/0":                      "addAlbum getAlbum? putAlbum",
			"get-albums-albumid/sequence/like-given/letters-behind/0":            "addAlbum getAlbum getAlbum",
			"delete-albums-albumid/sequence/like-given/letters-behind/0":         "addAlbum getAlbum dropAlbum",
			"get-albums/sequence/unlisted/list/0":                                "addAlbum listAlbums dropAlbum listAlbums",
			"delete-albums-albumid/sequence/repeated/delete/0":                   "addAlbum dropAlbum dropAlbum",
			"put-albums-albumid/sequence/repeated/put/0":                         "addAlbum putAlbum putAlbum",
			"put-albums-albumid/sequence/repeated/put-deleted/0":                 "addAlbum dropAlbum putAlbum",
		},
		"minutes": {
			"get-minutes-minutesid/sequence/dated/unchanged/0":                       "addMinutes getMinutes getMinutes[If-Modified-Since of 1]",
			"get-minutes-minutesid/sequence/dated/changed/0":                         "addMinutes getMinutes getMinutes[If-Modified-Since of 1, older]",
			"put-minutes-minutesid/sequence/stale-date/write/0":                      "addMinutes getMinutes putMinutes[If-Unmodified-Since of 1, older]",
			"get-minutes-minutesid/sequence/tagged/unchanged/0":                      "addMinutes getMinutes getMinutes[If-None-Match of 1]",
			"get-minutes-minutesid/sequence/tagged/listed/0":                         "addMinutes getMinutes getMinutes[If-None-Match of 1 behind another tag]",
			"get-minutes-minutesid/sequence/tagged/any/0":                            "addMinutes getMinutes getMinutes[If-None-Match of 1: an asterisk in place of it]",
			"put-minutes-minutesid/sequence/matched/listed/0":                        "addMinutes getMinutes putMinutes[If-Match of 1] getMinutes putMinutes[If-Match of 3 behind another tag]",
			"put-minutes-minutesid/sequence/matched/any/0":                           "addMinutes getMinutes putMinutes[If-Match of 1] getMinutes putMinutes[If-Match of 3: an asterisk in place of it]",
			"put-minutes-minutesid/sequence/matched/weak/0":                          "addMinutes getMinutes putMinutes?[If-Match of 1: another tag in place of it] getMinutes putMinutes[If-Match of 3 as a weak tag]",
			"get-minutes-minutesid/sequence/refused/put-minutes-minutesid-matched/0": "addMinutes getMinutes putMinutes?[If-Match of 1: another tag in place of it] getMinutes",
			"get-minutes-minutesid/sequence/tagged/changed/0":                        "addMinutes getMinutes putMinutes getMinutes getMinutes[If-None-Match of 1]",
			"put-minutes-minutesid/sequence/stale-tag/write/0":                       "addMinutes getMinutes putMinutes getMinutes putMinutes[If-Match of 1]",
		},
		"lockers": {
			"post-lockers-lockerid-opening/sequence/others/named/0": "addLocker getLocker other:getLocker other:openLocker",
			"get-lockers-lockerid-opener/sequence/others/named/0":   "addLocker getLocker lookAtOpener other:getLocker other:lookAtOpener",
		},
		"workshop": {
			"get-tools-toolid/sequence/after-done/post-tools-toolid-retirement/0":             "addTool retireTool? getTool",
			"post-tools-toolid-retirement/sequence/after-done/post-tools-toolid-retirement/0": "addTool retireTool? retireTool",
			"post-tools-toolid-repairs/sequence/in-state/condition/0":                         "addTool repairTool",
			"post-loans/sequence/in-state/condition/2":                                        "addTool addLoan@",
			"post-loans/sequence/after-done/post-tools-toolid-retirement/0":                   "addTool retireTool? addLoan@",
			"delete-tools-toolid/sequence/in-use/post-loans/0":                                "addTool addLoan'@ dropTool",
			"post-loans/sequence/in-use/delete-tools-toolid/0":                                "addTool dropTool addLoan@",
			"delete-loans-loanid/sequence/in-use/delete-tools-toolid/0":                       "addTool addLoan'@ dropTool? endLoan'",
		},
		"accounts": {
			"get-accounts-number/sequence/created/read/0":  "openAccount readAccount",
			"get-accounts-number/sequence/drawn/deleted/2": "openAccount deposit? readAccount closeAccount readAccount",
		},
		"guides": {
			"get-guides-guideid-comments/sequence/added/post-guides-guideid-comments/0": "addGuide addComment listComments",
		},
		"cards": {
			"get-cards-cardid/sequence/json-patched/replaced/0": "addCard getCard changeCard? getCard",
		},
		"ballots": {
			"post-ballots-ballotid-open/sequence/in-other-state/post-ballots-ballotid-open/0": "addBallot getBallot openBallot? getBallot openBallot",
			"delete-ballots-ballotid/sequence/in-other-state/post-ballots-ballotid-close/1":   "addBallot openBallot? getBallot closeBallot? getBallot dropBallot",
		},
		"payments": {
			"post-payments/sequence/sent-again/post/0":           "pay pay",
			"get-payments/sequence/filtered/account-id/values/0": "pay pay pay listPayments listPayments? listPayments? listPayments?",
		},
		"crud": {
			"get-projects-projectid/sequence/siblings/read/0":                                                            "createProject createProject' getProject deleteProject' getProject",
			"get-projects-projectid-tasks/sequence/siblings/list/0":                                                      "createTask createTask' listTasks getTask deleteTask' getTask listTasks",
			"head-projects-projectid/sequence/head/made/0":                                                               "createProject getProject getProject headProject",
			"head-projects-projectid/sequence/head/changed/0":                                                            "createProject headProject replaceProject getProject getProject headProject",
			"head-projects-projectid/sequence/deleted/delete-projects-projectid/0":                                       "createProject deleteProject getProject? headProject",
			"get-projects-projectid/sequence/others/named/0":                                                             "createProject getProject other:getProject",
			"delete-projects-projectid/sequence/others/named/0":                                                          "createProject getProject other:getProject other:deleteProject",
			"get-projects-projectid-tasks-taskid/sequence/deleted-above/delete-projects-projectid/0":                     "createProject createTask getTask deleteProject getTask",
			"get-projects-projectid-tasks-taskid/sequence/done/post-projects-projectid-tasks-taskid-archive/0":           "createTask completeTask? getTask archiveTask? getTask",
			"get-projects-projectid-tasks-taskid-note/sequence/part-replaced/put-projects-projectid-tasks-taskid-note/0": "createTask writeNote writeNote readNote",
			"get-projects-projectid-tasks-taskid-note/sequence/deleted/delete-projects-projectid-tasks-taskid/0":         "createTask writeNote readNote deleteTask readNote",
			"get-projects-projectid-tasks/sequence/others/named/0":                                                       "createProject getProject createTask? listTasks other:getProject other:listTasks",
			"get-projects-projectid-tasks-taskid/sequence/drawn/deleted/0":                                               "createTask getTask createTask' deleteTask deleteTask' getTask",
		},
	} {
		p := planned(t, load(t, document), 1, plan.Effort{})
		for id, want := range cases {
			assert.Equal(t, want, story(built(t, p, id)), id)
		}
	}
}

func TestOnlyWhatNeedsNoKeyBesideThatOfTheThingIsDoneWithIt(t *testing.T) {
	t.Parallel()
	done := map[string][]string{}
	walk(t, func(_ *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		if c.Class.Mutator == "done" {
			done[c.Op.ID] = append(done[c.Op.ID], steps[len(steps)-2].Message.Op.ID)
		}
	})
	assert.Equal(t, map[string][]string{
		"getProject": {"createTask"}, "getTask": {"completeTask", "archiveTask", "writeNote"},
		"getLocker": {"openLocker"}, "getTool": {"retireTool", "repairTool"}, "getGuide": {"addComment"}, "getBallot": {"openBallot", "closeBallot"}, "getArticle": {"publishArticle", "approveArticle", "submitArticle"},
	}, done)
}

// What is below a thing is deleted with the one above, so the steps name the one below.
func TestWhatIsBelowAThingIsWhatTheStepsAreAbout(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "crud", "get-projects-projectid-tasks-taskid/sequence/deleted-above/delete-projects-projectid/0")
	for i, s := range steps {
		assert.Equal(t, i == 1, s.Makes, "step %d", i)
	}
}
