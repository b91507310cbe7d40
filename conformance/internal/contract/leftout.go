package contract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// omitted counts the operations that are left out for one reason.
type omitted struct {
	why              string
	operation, where string // the first one, and the clause of its fault if it has one
	n                int
}

// Omit names an operation that is left out, and why. The clause is the JSON pointer
// of what is to blame, or empty.
func (c *Contract) Omit(operation, clause, why string) {
	line := operation + ": "
	if clause != "" {
		line += shown(c.Clause(clause)) + ": "
	}
	c.LeftOut = append(c.LeftOut, line+why)
	i := slices.IndexFunc(c.omitted, func(o omitted) bool { return o.why == why })
	if i < 0 && len(c.omitted) == mostReasons {
		i = mostReasons - 1 // the rare ones are not told apart
	}
	if i < 0 {
		i = len(c.omitted)
		c.omitted = append(c.omitted, omitted{why: why, operation: operation, where: clause})
	}
	c.omitted[i].n++
}

// mostReasons bounds the reasons that are counted.
const mostReasons = 100

// Empty returns an error if no operation is left, with the most frequent reasons.
func (c *Contract) Empty() error {
	if len(c.Operations) > 0 {
		return nil
	}
	list := slices.Clone(c.omitted)
	slices.SortStableFunc(list, func(a, b omitted) int { return cmp.Compare(b.n, a.n) })
	var reasons []string
	for i, o := range list {
		if i == 3 {
			reasons = append(reasons, fmt.Sprintf("and %d more reasons", len(list)-i))
			break
		}
		what := o.operation
		if o.n > 1 {
			what = fmt.Sprintf("%d operations, such as %s", o.n, what)
		}
		if o.where != "" {
			what += ": " + c.Where(o.where) + ": " + shown(c.Clause(o.where))
		}
		reasons = append(reasons, what+": "+o.why)
	}
	return fmt.Errorf("%s: no operation of the document can be tested: %s", c.Name,
		cmp.Or(strings.Join(reasons, "; "), "it has none"))
}

func (l *loader) omit(operation, clause, why string) { l.c.Omit(shown(operation), clause, why) }

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
		return &fault{pointer: l.c.Clause(one.pointer), why: one.why}
	}
	return err
}

// omitFor leaves an operation out because of a fault.
func (l *loader) omitFor(operation string, err error) {
	var one *fault
	if !errors.As(err, &one) {
		l.omit(operation, "", err.Error())
		return
	}
	one.told = true
	l.omit(operation, one.pointer, one.why)
}

// unused names the faults that cost no operation.
func (l *loader) unused() {
	n := 0
	for _, one := range l.faults.order {
		if one.told {
			continue
		}
		if n++; n <= mostListed {
			l.leaveOut("%v (no operation was left out for it)", l.inFile(one))
		}
	}
	if n > mostListed {
		l.leaveOut("%d more parts of the document cannot be read", n-mostListed)
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
