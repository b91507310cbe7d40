package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Omitted is an operation of the document that is left out.
type Omitted struct {
	// Operation is what was read of it: at least its method, its path, and its tags.
	*Operation
	Why string
	// Lacks are the schemes whose credential the user has to give. There are none if it is
	// left out for another reason.
	Lacks []*Scheme
	// Fault is what the user has to mend in the document, with its place in the file. It is
	// empty if it is left out for another reason.
	Fault  string
	clause string // of what is to blame; may be empty
}

// Omit leaves an operation out, and names it.
func (c *Contract) Omit(o Omitted) {
	line := shown(o.Title()) + ": "
	if o.clause != "" {
		line += shown(c.Clause(o.clause)) + ": "
	}
	c.LeftOut = append(c.LeftOut, line+o.Why)
	c.Omitted = append(c.Omitted, o)
}

// Empty returns an error if no operation is left, with the most frequent reasons.
func (c *Contract) Empty() error {
	if len(c.Operations) > 0 {
		return nil
	}
	first, n := map[string]Omitted{}, map[string]int{}
	var list []string
	for _, o := range c.Omitted {
		if n[o.Why]++; n[o.Why] == 1 {
			first[o.Why], list = o, append(list, o.Why)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(n[b], n[a]) })
	var reasons []string
	for i, why := range list {
		if i == 3 {
			reasons = append(reasons, fmt.Sprintf("and %d more reasons", len(list)-i))
			break
		}
		o := first[why]
		what := shown(o.Title())
		if n[why] > 1 {
			what = fmt.Sprintf("%d operations, such as %s", n[why], what)
		}
		if o.clause != "" {
			what += ": " + c.Where(o.clause) + ": " + shown(c.Clause(o.clause))
		}
		reasons = append(reasons, what+": "+why)
	}
	return fmt.Errorf("%s: no operation of the document can be tested: %s", c.Name,
		cmp.Or(strings.Join(reasons, "; "), "it has none"))
}

// omit leaves out the operation that is read.
func (l *loader) omit(why string) { l.c.Omit(Omitted{Operation: l.reading, Why: why}) }

// skip names a part of an operation that is not judged because of a fault.
func (l *loader) skip(what string, err error) {
	var one *fault
	if errors.As(err, &one) {
		one.told = true
	}
	l.leaveOut("%s: %v", what, l.inFile(err))
}

// inFile names the place of a fault in the file of the user.
func (l *loader) inFile(err error) error {
	var one *fault
	if errors.As(err, &one) {
		return &fault{pointer: l.c.Clause(one.pointer), why: one.why, beyond: one.beyond}
	}
	return err
}

// omitFor leaves out the operation that is read because of a fault.
func (l *loader) omitFor(err error) {
	var one *fault
	if !errors.As(err, &one) {
		l.omit(err.Error())
		return
	}
	one.told = true
	o := Omitted{Operation: l.reading, Why: one.why, clause: one.pointer}
	if !one.beyond {
		o.Fault = l.c.Where(one.pointer) + ": " + one.why
	}
	l.c.Omit(o)
}

// maxNamed is how many lines of one kind LeftOut has.
const maxNamed = 100

// unused names the faults that cost no operation.
func (l *loader) unused() {
	n := 0
	for _, one := range l.faults.order {
		if one.told {
			continue
		}
		if n++; n <= maxNamed {
			l.leaveOut("%v (no operation was left out for it)", l.inFile(one))
		}
	}
	if n > maxNamed {
		l.leaveOut("%d more parts of the document cannot be read", n-maxNamed)
	}
	if paths := l.root.Get("paths"); paths != nil {
		for _, p := range paths.Members {
			pointer, item := l.resolve("/paths/" + jsontree.EscapePointer(p.Name))
			if !strings.HasPrefix(p.Name, "x-") && item != nil {
				l.strange(pointer)
			}
		}
	}
}

// newer names what a document of OpenAPI 3.1 or 3.2 may have and this suite does not
// try.
func (l *loader) newer() {
	hooks := l.root.Get("webhooks")
	if hooks == nil {
		return
	}
	for i, m := range hooks.Members {
		if i == maxNamed {
			l.leaveOut("%d more webhooks are not tried", len(hooks.Members)-i)
			return
		}
		l.leaveOut("webhook %s is not tried: the server is the client there", shown(m.Name))
	}
}
