package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/plan"
)

// among makes findings of requirements; those with a sentence need something.
func among(d *Diagnosis, ids []string, sentences ...string) []Finding {
	var out []Finding
	for i, id := range ids {
		f := Finding{At: d.at(id), group: &group{at: d.at(id)}}
		if i < len(sentences) && sentences[i] != "" {
			f.Cause = &causes.Cause{Name: "in-flight", Sentence: sentences[i]}
		}
		out = append(out, f)
	}
	return out
}

func (d *Diagnosis) namesOf(found []Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, d.judge.Bound[f.At].ID)
	}
	return out
}

func TestFindingsThatNeedTheSameAreOneFault(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	found := d.suppressAlike(among(d, []string{"echo-name", "answer-belongs", "post-plants-body-json"}, "together", "together", "alone"))
	assert.Equal(t, []string{"answer-belongs", "post-plants-body-json"}, d.namesOf(found))
	assert.Equal(t, "answer-belongs", d.tallies[d.at("echo-name")].suppressedBy)
}

func TestAtMostThreeMustsAreReportedForWhatMayBeOneRace(t *testing.T) {
	ids := []string{"answer-belongs", "echo-name", "post-plants-body-json", "newplant-name-string", "newplant-id-integer"}
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	assert.Len(t, d.suppressMore(among(d, ids, "together")), mostOfOne)

	d.tallies = make([]tally, len(d.judge.Bound))
	assert.Len(t, d.suppressMore(among(d, ids)), len(ids), "no cause is known: nothing says that it is one fault")

	found := among(d, ids, "together")
	for i := range found {
		found[i].Stable = true
	}
	assert.Len(t, d.suppressMore(found), len(ids), "what comes again is a fault of its own")
}

func TestTheFaultThatOthersFollowFromMayComeLast(t *testing.T) {
	ids := []string{"answer-belongs", "echo-name", "post-plants-body-json", "newplant-name-string", "newplant-id-integer"}
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	found := among(d, ids, "", "", "", "", "together")
	found[0].Stable = true
	assert.Equal(t, []string{"answer-belongs", "echo-name", "newplant-id-integer"}, d.namesOf(d.suppressMore(found)))
}

// Something is used up, and from then on nothing is checked: that is one fault, unless a
// requirement failed before.
func TestWhatFailsOnlySinceAMomentIsOneFaultWithWhatElseDoes(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	d := diagnosing(doc)
	d.run = fakerun.Of(t, doc, doc.Conforming)
	ids := []string{"post-plants-body-json", "newplant-name-string", "newplant-id-integer", "newplant-name-required", "newplant-id-required"}
	late := d.run.Cases[len(d.run.Cases)-1]
	early := d.run.Cases[0]
	for _, c := range d.run.Cases {
		if d.run.Record(c).Sent > d.run.Record(late).Sent {
			late = c
		}
		if d.run.Record(c).Sent < d.run.Record(early).Sent {
			early = c
		}
	}
	since := func(c *plan.Case) []Finding {
		d.tallies = make([]tally, len(d.judge.Bound))
		found := among(d, ids, "since then")
		found[0].Cause.Since = d.run.Record(late).Sent
		for i := range found {
			found[i].Stable, found[i].group.cases = true, []*plan.Case{c}
		}
		return d.suppressMore(found)
	}
	assert.Len(t, since(late), mostOfOne)
	assert.Len(t, since(early), len(ids), "they failed before that")
}
