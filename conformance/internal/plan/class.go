package plan

import (
	"fmt"
	"strings"
	"time"

	"plantstore/conformance/internal/generate"
)

// Phase orders the parts of a run: requests that may harm others come later.
type Phase uint8

// The phases.
const (
	Single     Phase = iota // one request, any worker
	Lifecycle               // several requests about one thing of its own, any worker
	Sequence                // several requests; no other case runs beside it
	Heavy                   // nesting, huge numbers and bodies: may crash a target
	Credential              // refused credentials may lock a client out
	phases
)

// Class is all cases that try the same thing. In the phases Single and Heavy a
// case has one step, unless it is of the family sequence.
type Class struct {
	// Family, Place and Kind say what is tried, and where in the request.
	Family Family
	Place  Place
	Kind   string
	// Mutator is the name of the catalogue entry that made the class; the plan
	// sets it.
	Mutator string
	// Slug is <operation>/<family>/<mutator>/<place>/<kind>, without the place if
	// the class has none. The plan composes it and makes it unique.
	Slug  string
	Phase Phase
	// First is how many of its cases come before those of other classes where there is
	// room for few: no other class tries the same.
	First int
	// Subject names what its first case tests: a keyword at a place, a kind of wrong
	// credential. The first class of a subject comes first too. It may be empty.
	Subject string
	// Sharp classes test their subject best: a value just beyond a bound, say, rather than
	// one far beyond it. The first class of a subject is a sharp one if there is any.
	Sharp bool
	// lead is how early its first case comes where there is room for few; see markSubjects.
	lead int
	// Cases is the number of draws; each builds its own steps.
	Cases int
	// Expected is what the class says of its last request. The final bytes decide.
	Expected ExpectedClass
	// Rules names the rules whose requirements it tests. If it is empty, the bytes of its
	// requests tell.
	Rules []string
	// Hinted classes exist because of a text for people. They show what Rules name and nothing
	// else, and no other class depends on them.
	Hinted bool
	// Keys says that the last request has a changed key, and that its bytes tell of further
	// requirements that it tests.
	Keys bool
	// Alone cases of the phase Lifecycle run beside no other about things of the same
	// family: a key that was deleted may be given to what another case makes.
	Alone bool
	// Drawn cases of the phase Lifecycle have steps between the first and the last that not
	// every failure needs.
	Drawn bool
	// Written says that the cases try only how values are written: they show the same with other
	// values.
	Written bool
	// Waits is about how long a case waits between its requests or inside one, 0 if it does
	// not. Such cases begin before the others of their phase, so that the run does not wait
	// for them at its end.
	Waits time.Duration
	// Connections is the number of connections that the steps use at the same time.
	Connections int
	// Build returns the steps of one draw.
	Build func(g *generate.Gen, draw int) []Step
}

// Family says what the requests of a class are about. It is the second segment of a
// case id.
type Family string

// The families.
const (
	FamilyValid      Family = "valid"      // must be accepted
	FamilyMayRefuse  Family = "may-refuse" // may be refused
	FamilyInvalid    Family = "invalid"    // breaks the schema
	FamilyNotJSON    Family = "not-json"   // breaks the grammar of JSON
	FamilyCredential Family = "credential" // unusual or wrong credentials
	FamilySequence   Family = "sequence"   // several requests
)

// Families lists them.
func Families() []Family {
	return []Family{FamilyValid, FamilyMayRefuse, FamilyInvalid, FamilyNotJSON, FamilyCredential, FamilySequence}
}

// Place is where in a request a class makes its change.
type Place struct {
	// Name is its name in case ids: a member ("name", "lines.*.sku"), "body" or
	// another part of the request. It is empty if the class is about no place.
	Name string
	// Path is the path of the member in requirements ("/lines/*/sku"). It is empty
	// for the body as a whole and for other parts of the request.
	Path string
}

// ExpectedClass is what a class says its requests are. If the bytes are something
// else, that is an error of this suite.
type ExpectedClass uint8

// The expected classes.
const (
	ExpectNothing ExpectedClass = iota
	ExpectMustAccept
	ExpectMayRefuse
	ExpectInvalid
	ExpectNotJSON
	ExpectRefusedCredential
)

// String says what the server has to do with such a request.
func (c ExpectedClass) String() string {
	return [...]string{
		ExpectNothing:           "depends on the request: each is judged by its own bytes",
		ExpectMustAccept:        "must be accepted",
		ExpectMayRefuse:         "may be refused",
		ExpectInvalid:           "must be refused: the body violates the schema",
		ExpectNotJSON:           "must be refused: the body is not JSON",
		ExpectRefusedCredential: "must be refused: the credential is missing or wrong",
	}[c]
}

// Tries is the part of the slug after the family: what the class tries and where.
func (c *Class) Tries() string {
	if c.Place.Name == "" {
		return c.Mutator + "/" + c.Kind
	}
	return c.Mutator + "/" + c.Place.Name + "/" + c.Kind
}

// slug composes the slug. The error names what the mutator left out.
func (c *Class) slug(operation string) (string, error) {
	if c.Family == "" || c.Kind == "" || strings.Contains(c.Kind+c.Place.Name, "/") {
		return "", fmt.Errorf("mutator %s: a class needs a family and a kind without slashes, not %q and %q at %q", c.Mutator, c.Family, c.Kind, c.Place.Name)
	}
	return operation + "/" + string(c.Family) + "/" + c.Tries(), nil
}
