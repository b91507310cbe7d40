package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
)

func TestTheLastStepOfACaseIsOfItsOwnOperation(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		assert.Same(t, c.Op, steps[len(steps)-1].Message.Op, c.ID)
	})
}

func TestAThingIsMadeBeforeAStepIsAboutIt(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, p *plan.Plan, c *plan.Case, steps []plan.Step) {
		isMade := map[int]bool{}
		for i, s := range steps {
			if s.Kind.Names() && s.Kind != plan.Below && s.Kind != plan.Refers {
				assert.True(t, isMade[s.Resource], "%s: step %d is about a thing that none made", c.ID, i)
				continue
			}
			isMade[s.Resource] = true
			if reads := s.Message.Op == c.Op && c.Op.Listing != nil; !reads {
				assert.True(t, makes(p.Space(c.Op), s.Message.Op), "%s: step %d names no thing of the case and makes none", c.ID, i)
			}
		}
	})
}

func makes(s *plan.Space, op *openapi.Operation) bool {
	return op == s.Adder || slices.ContainsFunc(s.Resources, func(r *resource.Resource) bool { return r.Make == op.First() })
}

func TestEveryStepBelongsToTheFirstByItsPathALinkOrItsBody(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		first := steps[0].Message.Op
		collection, _, _ := strings.Cut(strings.TrimPrefix(first.Path, "/"), "/")
		for _, s := range steps {
			if s.Kind == plan.Refers {
				collection = strings.Trim(s.Message.Op.Path, "/") // or to what refers to it
				continue
			}
			linked := slices.ContainsFunc(s.Message.Op.Origins, func(o openapi.Origin) bool { return o.From == first })
			own := strings.HasPrefix(s.Message.Op.Path, first.Path) || strings.HasPrefix(s.Message.Op.Path, "/"+collection)
			assert.True(t, linked || own, "%s: %s", c.ID, s.Message.Op.Path)
		}
	})
}

func TestAStepThatAnotherOneCountsOnComesBeforeIt(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		for i, s := range steps {
			if on, conditional := s.From.(plan.Condition); conditional {
				require.Less(t, on.Step, i, c.ID)
				from := steps[on.Step]
				assert.Equal(t, "GET", from.Message.Op.Method, "%s: a read gives the tag or the time", c.ID)
				assert.Equal(t, plan.About, from.Kind, c.ID)
			}
			if page, follows := s.From.(plan.Follow); follows {
				assert.Less(t, page.From, i, c.ID)
			}
			if s.Again > 0 {
				assert.LessOrEqual(t, s.Again, i, c.ID)
				again := steps[s.Again].Message.Op
				if c.Op.Method != "HEAD" {
					assert.Same(t, c.Op, again, "%s: only reading is repeated", c.ID)
					continue
				}
				assert.Equal(t, "GET "+c.Op.Path, again.Method+" "+again.Path, "%s: HEAD is compared with what is read again", c.ID)
			}
		}
	})
}

// A case ends early where the server may refuse a step, unless the case says so.
func TestAServerMustAcceptWhatLeadsToTheLastStep(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		for i, s := range steps[:len(steps)-1] {
			if r := s.Message.Reading(); r != nil && !s.Open && !r.Unpaired() {
				assert.Equal(t, schema.MustAccept, r.Kind, "%s: step %d: %s %v", c.ID, i, s.Message.Body(), r.Reasons)
			}
		}
	})
}

// The key of what is deleted may be given to what a case beside it makes.
func TestACaseThatDeletesRunsAlone(t *testing.T) {
	t.Parallel()
	walk(t, func(t *testing.T, _ *plan.Plan, c *plan.Case, steps []plan.Step) {
		deletes := slices.ContainsFunc(steps, func(s plan.Step) bool {
			_, conditional := s.From.(plan.Condition)
			return s.Message.Op.Method == "DELETE" && !conditional && !s.Message.Other
		})
		if deletes {
			assert.True(t, c.Class.Alone, c.ID)
		}
	})
}

func TestEveryCaseTestsARequirementOfItsOperation(t *testing.T) {
	t.Parallel()
	for _, name := range documents() {
		d := load(t, name)
		set := requirement.Derive(d, checks.Rules())
		for _, c := range planned(t, d, 1, plan.Effort{}).Cases {
			assert.Subset(t, checks.Names(), c.Class.Rules, c.ID)
			tested := slices.ContainsFunc(set.List, func(q *requirement.Requirement) bool {
				return q.About(c.Op) && slices.Contains(c.Class.Rules, q.Rule)
			})
			assert.True(t, tested, "%s: its operation has no requirement of %v", c.ID, c.Class.Rules)
		}
	}
}

func TestEveryRequirementAboutTheLifeOfAThingHasACase(t *testing.T) {
	t.Parallel()
	history := map[string]bool{}
	for _, r := range checks.Rules() {
		history[r.Name] = r.Rank == requirement.History
	}
	found := map[string]bool{}
	for _, name := range documents() {
		d := load(t, name)
		cases := planned(t, d, 1, plan.Effort{}).Cases
		for _, q := range requirement.Derive(d, checks.Rules()).List {
			if !history[q.Rule] {
				continue
			}
			found[q.Rule] = true
			assert.True(t, slices.ContainsFunc(cases, func(c *plan.Case) bool {
				return q.About(c.Op) && slices.Contains(c.Class.Rules, q.Rule)
			}), "%s: no case of its operation is about it", q.ID)
		}
	}
	assert.Greater(t, len(found), 15, "%v", found)
}

func TestAPlanDependsOnItsSeedAlone(t *testing.T) {
	t.Parallel()
	for _, name := range documents() {
		one, again, other := sent(t, name, 7), sent(t, name, 7), sent(t, name, 8)
		assert.Equal(t, one, again, name)
		require.Len(t, other, len(one), name)
		for id, text := range one {
			assert.NotEqual(t, text, other[id], "%s: another seed has other values", id)
		}
	}
}

// sent returns the bytes of each case. The last case is built first: none may depend on
// one before it.
func sent(t *testing.T, name string, seed uint64) map[string]string {
	t.Helper()
	p := planned(t, load(t, name), seed, plan.Effort{})
	e, out := fake.Endpoint(p), map[string]string{}
	for _, c := range slices.Backward(p.Cases) {
		text := ""
		for _, s := range p.Build(c, plan.Identity{Seed: seed}) {
			r := e.Wire(s.Message, c.ID)
			require.NoError(t, r.Err, c.ID)
			text += string(r.Head) + string(r.Body)
		}
		out[c.ID] = text
	}
	return out
}

// A server may refuse a text that it has from another case.
func TestNoTwoCasesMakeThingsOfTheSameTexts(t *testing.T) {
	t.Parallel()
	whose := map[string]string{}
	walk(t, func(t *testing.T, p *plan.Plan, c *plan.Case, steps []plan.Step) {
		for _, s := range steps {
			tree := s.Message.Tree
			if !makes(p.Space(c.Op), s.Message.Op) || tree == nil {
				continue
			}
			tree.Walk(func(at string, v *jsontree.Value) {
				if v.Kind != jsontree.String || len(v.Text) < 10 || strings.Contains(v.Text, "-") {
					return
				}
				key := p.Digest + c.Op.Slug + at + v.Text
				if other, found := whose[key]; found && other != c.ID {
					assert.Fail(t, "twice", "%s of %s and %s is %s", at, c.ID, other, v.Text)
				}
				whose[key] = c.ID
			})
		}
	})
}

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
			"head-projects-projectid/sequence/others/named/0":                                                            "createProject getProject other:getProject other:headProject",
			"delete-projects-projectid/sequence/others/named/0":                                                          "createProject getProject other:getProject other:deleteProject",
			"get-projects-projectid-tasks-taskid/sequence/deleted-above/delete-projects-projectid/0":                     "createProject createTask getTask deleteProject getTask",
			"get-projects-projectid-tasks-taskid/sequence/done/post-projects-projectid-tasks-taskid-archive/0":           "createTask completeTask? getTask archiveTask? getTask",
			"get-projects-projectid-tasks-taskid-note/sequence/part-replaced/put-projects-projectid-tasks-taskid-note/0": "createTask writeNote readNote writeNote readNote",
			"get-projects-projectid-tasks-taskid-note/sequence/deleted/delete-projects-projectid-tasks-taskid/0":         "createTask writeNote readNote deleteTask readNote",
			"get-projects-projectid-tasks/sequence/others/named/0":                                                       "createProject getProject createTask? listTasks other:getProject other:listTasks",
			"get-projects-projectid-tasks-taskid/sequence/drawn/deleted/0":                                               "createTask getTask createTask' deleteTask deleteTask' getTask",
		},
	} {
		p := planOf(t, document)
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

// What is below a resource is deleted with the one above, so the steps name the one below.
func TestWhatIsBelowAThingIsWhatTheStepsAreAbout(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "crud", "get-projects-projectid-tasks-taskid/sequence/deleted-above/delete-projects-projectid/0")
	for i, s := range steps {
		assert.Equal(t, i == 1, s.Kind == plan.Below, "step %d", i)
	}
}

func TestMain(m *testing.M) { sample.Main(m) }
