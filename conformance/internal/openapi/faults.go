package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/yamltree"
)

// fault is a part of the document that cannot be read as OpenAPI. It costs the
// operations that need it, and nothing else.
type fault struct {
	pointer string // JSON pointer of the part
	why     string // with what to do, without the pointer
	told    bool   // LeftOut names it
	beyond  bool   // the document may be right, and this version cannot read it
}

// Error gives the clause and the reason on one line.
func (f *fault) Error() string { return shown(f.pointer) + ": " + f.why }

// faults are the faults of the document, by the value that has them.
type faults struct {
	at    map[*jsontree.Value]*fault
	order []*fault
	// tainted are the values that some reference names and from which a fault is
	// reached; nil until somebody asks.
	tainted map[*jsontree.Value]*fault
}

// add records a fault. The first one of a value stays.
func (f *faults) add(v *jsontree.Value, one *fault) {
	if v != nil && f.at[v] == nil {
		f.at[v] = one
		f.order = append(f.order, one)
	}
}

// bad makes a fault of the part at pointer.
func bad(pointer, format string, args ...any) *fault {
	return &fault{pointer: pointer, why: fmt.Sprintf(format, args...)}
}

// beyond makes a fault of this version: nobody has to mend the part at pointer.
func beyond(pointer, format string, args ...any) *fault {
	f := bad(pointer, format, args...)
	f.beyond = true
	return f
}

// unsound returns a fault of the value at a pointer or of anything that it holds or
// refers to, or nil.
func (l *loader) unsound(pointer string) error {
	if len(l.faults.at) == 0 {
		return nil
	}
	l.faults.spread(l.root)
	first, named := l.faults.part(l.root, l.root.At(pointer))
	for _, v := range named {
		if first == nil {
			first = l.faults.tainted[v]
		}
	}
	if first != nil {
		return first
	}
	return nil
}

// spread finds out once which parts that are referred to lead to a fault.
func (f *faults) spread(root *jsontree.Value) {
	if f.tainted != nil {
		return
	}
	f.tainted = map[*jsontree.Value]*fault{}
	users := map[*jsontree.Value][]*jsontree.Value{}
	var todo []*jsontree.Value
	seen := map[*jsontree.Value]bool{}
	_, named := f.part(root, root)
	for len(named) > 0 {
		v := named[len(named)-1]
		named = named[:len(named)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		first, below := f.part(root, v)
		if first != nil {
			f.tainted[v] = first
			todo = append(todo, v)
		}
		for _, b := range below {
			users[b] = append(users[b], v)
		}
		named = append(named, below...)
	}
	for len(todo) > 0 {
		v := todo[0]
		todo = todo[1:]
		for _, u := range users[v] {
			if f.tainted[u] == nil {
				f.tainted[u] = f.tainted[v]
				todo = append(todo, u)
			}
		}
	}
}

// part looks at a value and what it holds. It returns the first fault there, and the
// values that references in it name.
func (f *faults) part(root, v *jsontree.Value) (first *fault, named []*jsontree.Value) {
	for todo := []*jsontree.Value{v}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v == nil {
			continue
		}
		if first == nil {
			first = f.at[v]
		}
		todo = append(todo, v.Items...)
		for _, m := range v.Members {
			if to := within(root, m); to != nil {
				named = append(named, to)
			} else {
				todo = append(todo, m.Value)
			}
		}
	}
	return first, named
}

// within returns what a member refers to if it is a reference.
func within(root *jsontree.Value, m jsontree.Member) *jsontree.Value {
	if m.Name != "$ref" || m.Value.Kind != jsontree.String || !strings.HasPrefix(m.Value.Text, "#/") {
		return nil
	}
	return root.At(jsontree.FromFragment(m.Value.Text))
}

// apart are the members whose faults do not rule out an operation: what is below
// them is read, and left out, by itself.
var apart = map[string]bool{"content": true, "schema": true, "headers": true, "links": true, "callbacks": true,
	"example": true, "examples": true, "servers": true, "tags": true, "externalDocs": true}

// unusable returns a fault of an operation itself: of it, its parameters, its request
// body, its responses or its security, but not of their content.
func (l *loader) unusable(pointer string) error {
	if len(l.faults.at) == 0 {
		return nil
	}
	seen := map[*jsontree.Value]bool{}
	for todo := []*jsontree.Value{l.root.At(pointer)}; len(todo) > 0; {
		v := todo[0]
		todo = todo[1:]
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		if one := l.faults.at[v]; one != nil {
			return one
		}
		todo = append(todo, v.Items...)
		for _, m := range v.Members {
			if to := within(l.root, m); to != nil {
				todo = append(todo, to)
			} else if !apart[m.Name] && !strings.HasPrefix(m.Name, "x-") {
				todo = append(todo, m.Value)
			}
		}
	}
	return nil
}

// version reads which version of OpenAPI a document has, and converts one of Swagger
// 2.0. It returns the version in which the document is then read. A number, such as
// 3.0 without quotes, is a version too.
func (l *loader) version(tree *yamltree.Tree) (string, error) {
	l.c.root = tree.Root
	v, at := tree.Root.Get("openapi"), "/openapi"
	if v == nil {
		v, at = tree.Root.Get("swagger"), "/swagger"
	}
	if v == nil {
		return "", fmt.Errorf("%s: not an OpenAPI document: it has no member openapi: want 3.0.x, 3.1.x or 3.2.x, or swagger: 2.0", tree.Where(""))
	}
	l.c.OpenAPI = v.Text
	known := v.Kind == jsontree.String || v.Kind == jsontree.Number
	switch {
	case known && at == "/openapi" && regexp.MustCompile(`^3\.[012](\.|$)`).MatchString(v.Text):
		return v.Text, nil
	case known && at == "/swagger" && (v.Text == "2.0" || v.Text == "2"):
		converted := ConvertSwagger(tree.Root)
		l.c.root, l.c.origin = converted.Root, converted.Origin
		l.c.LeftOut = append(l.c.LeftOut, converted.Notes...)
		return SwaggerVersion, nil
	}
	return "", fmt.Errorf("%s: %s is %q: this suite reads OpenAPI 3.0.x, 3.1.x and 3.2.x, and Swagger 2.0", tree.Where(at), at[1:], jsontree.Cut(v.Text, 100))
}

// methodsOf returns the members of a path item that are operations: the method of
// each, and the JSON pointer below the item.
func (l *loader) methodsOf(item *jsontree.Value) (names, at []string) {
	list := methods
	if strings.HasPrefix(l.c.OpenAPI, "3.2") {
		list = append(list[:len(list):len(list)], "query")
	}
	for _, m := range list {
		if item.Get(m) != nil {
			names, at = append(names, strings.ToUpper(m)), append(at, "/"+m)
		}
	}
	if more := item.Get("additionalOperations"); more != nil && len(list) > len(methods) {
		for _, m := range more.Members {
			names, at = append(names, m.Name), append(at, "/additionalOperations/"+jsontree.EscapePointer(m.Name))
		}
	}
	return names, at
}

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
	l.c.Omit(Omitted{Operation: l.reading, Why: one.why, clause: one.pointer, Fault: l.toMend(one)})
}

// toMend is what the user has to mend in the document, or empty if that may be right.
func (l *loader) toMend(one *fault) string {
	if one.beyond {
		return ""
	}
	return l.c.Where(one.pointer) + ": " + one.why
}

// skipAnswer is skip for a part of an answer, and keeps the fault: the user has to mend it.
func (l *loader) skipAnswer(what string, err error) {
	l.skip(what, err)
	var one *fault
	if errors.As(err, &one) && l.reading.Fault == "" {
		l.reading.Fault = l.toMend(one)
	}
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
