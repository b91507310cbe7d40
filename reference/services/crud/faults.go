package crud

import "slices"

// Fault breaks one clause of the document in a single exchange, or a promise that
// several exchanges make together.
type Fault struct {
	Name string
	// Clause is the JSON pointer of what is broken, Breaks says how in a sentence.
	Clause, Breaks string
	// Doc says how software comes to have it.
	Doc string
	// skips is a check that is left out, as operation/place/keyword; alter changes
	// an answer. Without both the code of the service has a switch of the name.
	skips string
	alter func(*call, *answer)
	// Requirements names the requirements that break, where the clause does not tell: the
	// nearest first, then those that follow from it. Where several exchanges show the fault,
	// its clause is the operation that shows it.
	Requirements []string
	// Principals reports whether the service has two, who hide what they make from each other.
	Principals bool
	// around stands around the operations.
	around around
}

// Alone reports whether a single exchange shows the fault.
func (f Fault) Alone() bool { return f.around == nil }

// Faults lists all that the suite has to find, family by family: those of which a requirement
// speaks.
func Faults() []Fault {
	return slices.Concat(named(slices.Concat(queryFaults(), headFaults(), pathFaults(), formFaults(), userFaults(), projectFaults(), taskFaults(),
		credentialFaults(), headerFaults(), statusFaults(), contentFaults(), crashes())),
		createdFaults(), tasksCreatedFaults(), replacedFaults(), wholeFaults(), againFaults(), takenFaults(), notesFaults(), patchedFaults(), deletedFaults(), partsDeletedFaults(), siblingFaults(), listedFaults(), neverGivenFaults(), conditionFaults(), longerFaults(), headHistoryFaults(), pagingFaults(), boundFaults(), principalFaults(), doneFaults(), belowFaults(), secretFaults(), defaultFaults())
}

// Unjudged lists faults that the suite does not have to find: no requirement speaks of them.
func Unjudged() []Fault { return otherHistoryFaults() }

// FindFault returns the fault with that name, judged or not.
func FindFault(name string) (Fault, bool) {
	list := slices.Concat(Faults(), Unjudged())
	if i := slices.IndexFunc(list, func(f Fault) bool { return f.Name == name }); i >= 0 {
		return list[i], true
	}
	return Fault{}, false
}

// The reasons that many faults share.
const (
	unread     = "the handler reads the value without the check"
	loose      = "the framework converts what it can and takes the default for the rest"
	handmade   = "the answer is put together by hand"
	undeclared = "the parameter is read where it is needed, not declared to the framework"
)

// left is a fault that leaves out a check.
func left(name, skips, clause, breaks, doc string) Fault {
	return Fault{Name: name, skips: skips, Clause: clause, Breaks: breaks, Doc: doc}
}

// turned is a fault that changes the answers of one operation.
func turned(name, op, clause, breaks, doc string, alter func(*answer)) Fault {
	return Fault{Name: name, Clause: clause, Breaks: breaks, Doc: doc, alter: func(c *call, a *answer) {
		if c.op.name == op {
			alter(a)
		}
	}}
}
