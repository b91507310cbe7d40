package checks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			page, asked := s.From.(plan.Follow)
			switch {
			case !asked:
				follows += " -"
				continue
			case page.Last:
				follows += " last"
			default:
				follows += " next"
			}
			assert.Equal(t, 4, page.From, "%s: the first page is the step behind the large one", list)
		}
		assert.Equal(t, " "+want.follows, follows, list)
		assert.Equal(t, plan.Own, steps[0].Kind, "%s: of a list of its own", list)
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

// A list of values keeps the resources that have all of them, or any.
func TestAFilterOfSeveralValuesIsAskedForTwoThatThingsShare(t *testing.T) {
	t.Parallel()
	for filter, c := range map[string]struct{ by, list, id string }{
		"tags":   {"createProject", "listProjects", "get-projects"},
		"labels": {"createTask", "listTasks", "get-projects-projectid-tasks"},
	} {
		steps := stepsOf(t, "crud", c.id+"/sequence/filtered/"+filter+"/values/0")
		resources := given(steps, c.by, filter)
		assert.Equal(t, []string{"-", resources[1], resources[2], resources[1], resources[2]}, asked(steps, c.list, filter), "on small pages, and on those of what was made last")
		var one, two, third string
		_, err := fmt.Sscanf(resources[0], "[%q]", &one)
		assert.NoError(t, err)
		_, err = fmt.Sscanf(resources[2], "[%q]", &third)
		assert.NoError(t, err)
		_, err = fmt.Sscanf(resources[1], `["`+one+`",%q]`, &two)
		assert.NoError(t, err, "%s: one thing has the first value, one has both", resources)
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
		resources := given(steps, c.by, c.member)
		assert.True(t, len(resources) == 3 && resources[0] < resources[1] && resources[1] < resources[2], "%s: %s rise", filter, resources)
		assert.Equal(t, []string{"-", resources[1]}, asked(steps, c.list, c.place), filter)
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

// A thing has one person: with two, the list has the resources of either.
func TestAFilterOfSeveralValuesIsAskedForTwoAtOnce(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "chores", "get-chores/sequence/filtered/who/values/0")
	assert.Equal(t, []string{"ann", "ben", "cem"}, given(steps, "addChore", "who"), "the POST at the path of the list adds to it")
	asks := asked(steps, "listChores", "who")
	assert.Equal(t, []string{`["ann"]`, `["ben"]`, `["cem"]`, `["ann","ben"]`, `["cem","ann"]`}, asks[len(asks)-5:])
}

const shelvesOfBooks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /shelves: {post: {operationId: addShelf, responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/shelves/{shelfId}": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getShelf, responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/shelves/{shelfId}/books": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}],
    post: {operationId: addBook, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}},
      responses: {"201": {description: d, content: {application/json: {schema: &book {type: object, properties: {id: {type: integer}, title: {type: string}}}}}}}},
    get: {operationId: listBooks, parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}],
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {total: {type: integer}, items: {type: array, items: *book}}}}}}}}},
  "/shelves/{shelfId}/books/{bookId}": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}, {name: bookId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getBook, responses: {"200": {description: d, content: {application/json: {schema: *book}}}}}}}}`

// Of a list of everything, oldest first, the last page alone shows what was made last. Nothing
// else is made meanwhile.
func TestTheLastPageBelowAnotherThingIsRead(t *testing.T) {
	t.Parallel()
	p := plannedFor(t, shelvesOfBooks)
	const id = "get-shelves-shelfid-books/sequence/listed-below/last/0"
	assert.Equal(t, "addShelf addBook addShelf' listBooks' listBooks'", story(built(t, p, id)))
	one := p.Find(id)
	require.NotNil(t, one)
	assert.True(t, one.Class.Alone)
	steps := built(t, p, id)
	require.Len(t, steps, 5)
	assert.Nil(t, steps[3].From)
	assert.Equal(t, plan.Follow{Last: true}, steps[4].From)
}

// labelled is a document of resources with labels. It is written for the media type of a patch and
// the type of a label in it.
const labelled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /things: {post: {operationId: addThing, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
      labels: {type: object, maxProperties: 3, additionalProperties: {type: string, maxLength: 40}}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/things/{thingId}": {parameters: [{name: thingId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getThing, responses: {"200": {description: d, content: {application/json: {schema: {type: object}}}}}},
    patch: {operationId: patchThing, requestBody: {required: true, content: {%s: {schema: {type: object, properties: {
      labels: {type: object, additionalProperties: {type: %s, maxLength: 40}}}}}}}, responses: {"200": {description: d}}}}}}`

func TestAMergePatchTakesAMemberOutOfAnObject(t *testing.T) {
	t.Parallel()
	const id = "get-things-thingid/sequence/patched/removed/0"
	for _, row := range []struct {
		media, of string
		want      bool
	}{
		{"application/merge-patch+json", "[string, 'null']", true},
		{"application/merge-patch+json", "string", false}, // null is not allowed
		{"application/json", "[string, 'null']", false},   // and means nothing that all agree on
	} {
		p := plannedFor(t, fmt.Sprintf(labelled, row.media, row.of))
		if !row.want {
			assert.Nil(t, p.Find(id), row)
			continue
		}
		steps := built(t, p, id)
		assert.Equal(t, "addThing getThing patchThing getThing", story(steps))
		made, patch := steps[0].Message.At("/labels"), steps[2].Message.At("/labels")
		require.Len(t, made.Members, 1)
		require.Len(t, patch.Members, 1)
		assert.Equal(t, made.Members[0].Name, patch.Members[0].Name)
		assert.Equal(t, jsontree.Null, patch.Members[0].Value.Kind)
	}
}

// shelves is a document with resources below others: boxes and labels are listed and have no GET
// of one, and what is asked is no thing.
const shelves = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Shelf: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}},
  NewBox: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}, colour: {type: string, enum: [red, blue]}}},
  Box: {type: object, properties: {id: {type: string}, title: {type: string}, colour: {type: string, enum: [red, blue]}}}}}, paths: {
  /shelves: {post: {operationId: shelve, requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shelf"}}}}}}},
  "/shelves/{shelf}": {parameters: [&shelf {name: shelf, in: path, required: true, schema: {type: string}}],
    get: {operationId: shelf, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shelf"}}}}}},
    delete: {operationId: clear, responses: {"204": {description: d}}}},
  "/shelves/{shelf}/boxes": {parameters: [*shelf],
    get: {operationId: boxes, parameters: [{name: colour, in: query, schema: {type: string, enum: [red, blue]}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}],
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Box"}}}}}}},
    post: {operationId: box, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewBox"}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}}}}},
  "/shelves/{shelf}/move": {parameters: [*shelf], post: {operationId: move, requestBody: {content: {application/json: {schema: {type: object, properties: {to: {type: string}}}}}}, responses: {"200": {description: d}}}},
  "/shelves/{shelf}/labels/{label}": {parameters: [*shelf, {name: label, in: path, required: true, schema: {type: string}}],
    put: {operationId: label, requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"204": {description: d}}}},
  "/shelves/{shelf}/note": {parameters: [*shelf],
    put: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"204": {description: d}}}}}}`

// shelved makes the plan for that document.
func shelved(t *testing.T) *plan.Plan {
	t.Helper()
	return plannedFor(t, shelves)
}

// operationsOf writes the operations of a case.
func operationsOf(steps []plan.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Message.Op.ID)
	}
	return strings.Join(out, " ")
}

func TestAThingIsDeletedAfterEachOperationThatFillsIt(t *testing.T) {
	t.Parallel()
	p := shelved(t)
	var got []string
	for _, c := range p.Cases {
		if strings.HasPrefix(c.ID, "delete-shelves-shelf/sequence/filled/") {
			steps := built(t, p, c.ID)
			assert.True(t, steps[1].Aside, c.ID)
			got = append(got, operationsOf(steps))
		}
	}
	assert.ElementsMatch(t, []string{"shelve box clear", "shelve label clear", "shelve note clear"}, got, "a move puts nothing below it")
}

func TestAListBelowAThingIsFilledByThePostOfItsPath(t *testing.T) {
	t.Parallel()
	p := shelved(t)
	filtered := built(t, p, "get-shelves-shelf-boxes/sequence/filtered/colour/values/0")
	assert.True(t, strings.HasPrefix(operationsOf(filtered), "box box box boxes"), operationsOf(filtered))
	assert.Equal(t, []string{"red", "blue", "-"}, append(given(filtered, "box", "colour")[:2:2], asked(filtered, "boxes", "colour")[0]))
	assert.Equal(t, plan.Own, filtered[0].Kind, "on a shelf of its own")
	for _, s := range filtered[1:] {
		assert.Equal(t, plan.About, s.Kind)
	}
	paged := built(t, p, "get-shelves-shelf-boxes/sequence/paged/pages/0")
	assert.True(t, strings.HasPrefix(operationsOf(paged), "box box box boxes boxes"), operationsOf(paged))
}

func TestAThingIsMadeOnceInEachOfFewStatesTheLastOneFirst(t *testing.T) {
	t.Parallel()
	p := planOf(t, "workshop")
	var got []string
	for _, c := range p.Cases {
		if c.Class.Mutator == "in-state" && c.Op.ID == "getTool" {
			got = append(got, p.Build(c, plan.Identity{Seed: 1})[0].Message.Tree.Get("condition").Text)
		}
	}
	assert.Equal(t, []string{"broken", "used", "new"}, got)
}

func TestTheStatesOfAThingAreTriedUnlessThereIsRoomForOneValueOnly(t *testing.T) {
	t.Parallel()
	for effort, want := range map[string]bool{"smoke": false, "gate": true, "full": true} {
		e, err := plan.EffortFor(effort, 1, 1)
		require.NoError(t, err)
		cases := planned(t, load(t, "workshop"), 1, e).Cases
		for _, name := range []string{"after-done", "in-state", "in-use"} {
			assert.Equal(t, want, slices.ContainsFunc(cases, func(c *plan.Case) bool { return c.Class.Mutator == name }), "%s at %s", name, effort)
		}
	}
}

// An operation gets so many more cases, whatever the size of a document is.
func TestAnOperationHasFewCasesAboutTheStatesOfAThing(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	walk(t, func(_ *testing.T, p *plan.Plan, c *plan.Case, _ []plan.Step) {
		if slices.Contains([]string{"after-done", "in-state"}, c.Class.Mutator) {
			count[p.Digest+c.Op.Slug]++
		}
	})
	for op, n := range count {
		assert.LessOrEqual(t, n, 14, "%s: seven for each of two kinds of things", op)
	}
}
