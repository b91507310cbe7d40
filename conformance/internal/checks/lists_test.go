package checks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

// asked returns the value of a parameter of the query in each step that reads a list, and a
// hyphen where there is none.
func asked(steps []plan.Step, list, parameter string) []string {
	var out []string
	for _, s := range steps {
		if s.Message.Op.ID == list {
			out = append(out, shown(s.Message.At("query/"+parameter)))
		}
	}
	return out
}

// given returns the value of a member of each thing that is made.
func given(steps []plan.Step, by, member string) []string {
	var out []string
	for _, s := range steps {
		if s.Message.Op.ID == by {
			out = append(out, shown(s.Message.Tree.Get(member)))
		}
	}
	return out
}

func shown(v *jsontree.Value) string {
	switch {
	case v == nil:
		return "-"
	case v.Kind == jsontree.String || v.Kind == jsontree.Number:
		return v.Text
	}
	return v.String()
}

func TestAListIsReadInPagesOfFewerThingsThanWereMade(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]struct {
		by, id  string
		limits  []string
		follows string
	}{
		// The last page asks for the last item that the total counts.
		"listProjects": {"createProject", "get-projects", []string{"5", "2", "2", "5", "-", "3"}, "- - next - - last"},
		// A page that a cursor leads to may be short, so one more is read.
		"listTasks": {"createTask", "get-projects-projectid-tasks", []string{"5", "2", "2", "2", "5", "-"}, "- - next next - -"},
	} {
		steps := stepsOf(t, "crud", want.id+"/sequence/paged/pages/0")
		assert.Len(t, given(steps, want.by, "name"), 3, list)
		assert.Equal(t, want.limits, asked(steps, list, "limit"), list)
		follows := ""
		for _, s := range steps[3:] {
			switch {
			case s.Follow == nil:
				follows += " -"
			case s.Follow.Last:
				follows += " last"
			default:
				follows += " next"
			}
			if s.Follow != nil {
				assert.Equal(t, 4, s.Follow.From, "%s: the first page is the step behind the large one", list)
			}
		}
		assert.Equal(t, " "+want.follows, follows, list)
		assert.True(t, steps[0].Own, "%s: of a list of its own", list)
		assert.Equal(t, 3, steps[len(steps)-1].Again, "%s: all pages are read again", list)
	}
}

func TestAFilterIsAskedForValuesThatThingsHave(t *testing.T) {
	t.Parallel()
	for filter, want := range map[string][]string{"status": {"draft", "active", "closed"}, "archived": {"true", "false"}} {
		steps := stepsOf(t, "crud", "get-projects/sequence/filtered/"+filter+"/values/0")
		assert.Equal(t, want, given(steps, "createProject", filter)[:len(want)], filter)
		asks := asked(steps, "listProjects", filter)
		few := []string{want[0], want[len(want)-1]}
		assert.Equal(t, slices.Concat([]string{"-"}, few, want), asks[:len(want)+3], "%s: first without it, and on small pages", filter)
		for _, s := range steps[4:6] {
			assert.Equal(t, "-", shown(s.Message.At("query/sort")), "%s: a small page has what was made first", filter)
		}
		for _, s := range append(steps[3:4:4], steps[6:]...) {
			assert.Equal(t, "-created", shown(s.Message.At("query/sort")), "%s: what was made last is on the page", filter)
		}
	}
}

// A list of values keeps the things that have all of them, or any.
func TestAFilterOfSeveralValuesIsAskedForTwoThatThingsShare(t *testing.T) {
	t.Parallel()
	for filter, c := range map[string]struct{ by, list, id string }{
		"tags":   {"createProject", "listProjects", "get-projects"},
		"labels": {"createTask", "listTasks", "get-projects-projectid-tasks"},
	} {
		steps := stepsOf(t, "crud", c.id+"/sequence/filtered/"+filter+"/values/0")
		things := given(steps, c.by, filter)
		assert.Equal(t, []string{"-", things[1], things[2], things[1], things[2]}, asked(steps, c.list, filter), "on small pages, and on those of what was made last")
		var one, two, third string
		_, err := fmt.Sscanf(things[0], "[%q]", &one)
		assert.NoError(t, err)
		_, err = fmt.Sscanf(things[2], "[%q]", &third)
		assert.NoError(t, err)
		_, err = fmt.Sscanf(things[1], `["`+one+`",%q]`, &two)
		assert.NoError(t, err, "%s: one thing has the first value, one has both", things)
		assert.NotContains(t, []string{one, two}, third, "and one has neither")
	}
}

// The service sets createdAt: no thing can be on a chosen side of a day near it.
func TestABoundIsAskedForBetweenWhatIsMadeOrFarFromIt(t *testing.T) {
	t.Parallel()
	for filter, c := range map[string]struct{ by, list, id, member, place string }{
		"budget-min": {"createProject", "listProjects", "get-projects", "budget", "budget/min"},
		"budget-max": {"createProject", "listProjects", "get-projects", "budget", "budget/max"},
		"duebefore":  {"createTask", "listTasks", "get-projects-projectid-tasks", "due", "dueBefore"},
	} {
		steps := stepsOf(t, "crud", c.id+"/sequence/filtered/"+filter+"/values/0")
		things := given(steps, c.by, c.member)
		assert.True(t, len(things) == 3 && things[0] < things[1] && things[1] < things[2], "%s: %s rise", filter, things)
		assert.Equal(t, []string{"-", things[1]}, asked(steps, c.list, c.place), filter)
	}
	steps := stepsOf(t, "crud", "get-projects/sequence/filtered/createdafter/values/0")
	assert.Equal(t, []string{"-", "2001-02-03", "2101-02-03"}, asked(steps, "listProjects", "createdAfter"))
}

func TestThingsAreMadeInAnotherOrderThanEachThatIsAskedFor(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "crud", "get-projects/sequence/ordered/orders/0")
	assert.Equal(t, []string{"name", "-name", "created", "-created"}, asked(steps, "listProjects", "sort"))
	names := given(steps, "createProject", "name")
	assert.Len(t, names, 3)
	assert.True(t, names[1] < names[0] && names[0] < names[2], "%s: neither up nor down", names)
}

// A thing has one person: with two, the list has the things of either.
func TestAFilterOfSeveralValuesIsAskedForTwoAtOnce(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "chores", "get-chores/sequence/filtered/who/values/0")
	assert.Equal(t, []string{"ann", "ben", "cem"}, given(steps, "addChore", "who"), "the POST at the path of the list adds to it")
	asks := asked(steps, "listChores", "who")
	assert.Equal(t, []string{`["ann"]`, `["ben"]`, `["cem"]`, `["ann","ben"]`, `["cem","ann"]`}, asks[len(asks)-5:])
}
