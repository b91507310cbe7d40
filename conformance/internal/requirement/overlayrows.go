package requirement

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// row reads one requirement: a known one is worded anew, another one added.
func (o *overlayer) row(at string) {
	if !o.object(at, "the requirement", "id", "sentence", "level", "section", "pointer", "rfc", "why", "rule", "operation", "args") {
		return
	}
	id, ok := o.id(at)
	if !ok {
		return
	}
	r := o.known[id]
	switch rule, added := o.text(at + "/rule"); {
	case r == nil && !added:
		hint := nearest.Hint(id, o.out.IDs())
		if hint != "" {
			hint += " "
		}
		o.refuse(at+"/id", "unknown id %s: %sa new requirement needs a rule", show(id), hint)
		return
	case r == nil:
		if r = o.added(at, id, rule); r == nil {
			return
		}
	default:
		for _, key := range []string{"rule", "operation", "args"} {
			if o.at(at+"/"+key) != nil {
				o.refuse(at+"/"+key, "%s is derived from the document: remove %s", id, key)
				return
			}
		}
	}
	o.word(at, r)
}

// id returns a new slug.
func (o *overlayer) id(row string) (string, bool) {
	at := row + "/id"
	id, ok := o.text(at)
	slug := openapi.Slug(id)
	switch {
	case !ok:
		o.refuse(row, "id is missing: add one, in lower-case letters, digits and hyphens")
	case id != slug && slug == "":
		o.refuse(at, "id %s is not a slug: use lower-case letters, digits and hyphens", show(id))
	case id != slug:
		o.refuse(at, "id %s is not a slug: write %s", show(id), show(slug))
	case o.given[id] != "":
		o.refuse(at, "id %s is given twice, first at %s: remove one", id, o.given[id])
	default:
		o.given[id] = o.tree.Where(at)
		return id, true
	}
	return "", false
}

// word takes sentence, level and clause; what the file does not give stays.
func (o *overlayer) word(row string, r *Requirement) {
	if s, ok := o.sentence(row + "/sentence"); ok {
		r.Sentence = s
	} else if r.Sentence == "" {
		o.refuse(row, "sentence is missing: say in one sentence what is required")
	}
	level := o.level(row, r.Level)
	why, _ := o.text(row + "/why")
	if r.Level != "" && slices.Index(report.Levels(), level) > slices.Index(report.Levels(), r.Level) && why == "" {
		o.refuse(row+"/level", "%s is relaxed from %s to %s: add why", r.ID, r.Level, level)
	}
	if (r.Rule == ruleObserve || r.Rule == ruleUnobservable) && level != report.Open {
		o.refuse(row+"/level", "rule %s judges nothing: write level OPEN", r.Rule)
	}
	r.Level = level
	o.clause(row, &r.Clause)
}

// level reads the level of a row; where the file is silent, the row keeps its
// own.
func (o *overlayer) level(row string, own report.Level) report.Level {
	at := row + "/level"
	text, ok := o.text(at)
	switch {
	case !ok && own == "":
		o.refuse(at, "level is missing: add MUST, SHOULD, MAY or OPEN")
	case !ok:
		return own
	case !slices.Contains(report.Levels(), report.Level(text)):
		o.refuse(at, "unknown level %s: use MUST, SHOULD, MAY, SUSPECTED or OPEN", show(text))
	}
	return report.Level(text)
}

// clause takes what the file says a row rests on.
func (o *overlayer) clause(row string, c *Clause) {
	if s, ok := o.sentence(row + "/section"); ok {
		c.Section = s
	}
	if s, ok := o.sentence(row + "/rfc"); ok {
		c.RFC = s
	}
	if p, ok := o.text(row + "/pointer"); ok {
		if p[0] != '/' || !o.c.Resolves(p) {
			o.refuse(row+"/pointer", "pointer %s does not resolve in %s: %s", show(p), o.c.Name, o.upTo(p))
		}
		c.Pointer = p
	}
	if *c == (Clause{}) {
		o.refuse(row, "no clause: add section, pointer or rfc")
	}
}

// upTo says how far a pointer resolves.
func (o *overlayer) upTo(pointer string) string {
	if pointer[0] != '/' {
		return "start it with /, without #"
	}
	for i := strings.LastIndexByte(pointer, '/'); i > 0; i = strings.LastIndexByte(pointer[:i], '/') {
		if o.c.Resolves(pointer[:i]) {
			return "it is valid up to " + show(pointer[:i])
		}
	}
	return "write it from the root of the document"
}

// additional derives what is asked of the bodies of an additional media type or alternative. The
// rest of the operation is asked with the first.
func (d *deriver) additional() {
	b, s := d.op.Body, d.op.Slug
	d.of = b
	defer func() { d.of = nil }()
	w := walker{d: d, rule: "refuses-schema", request: true, text: b.Form(), stem: s + "-body", media: b.Media}
	if a := d.op.Alternative; a != "" {
		d.must(s+"-valid-accepted", "accepted", b.Pointer, Args{}, "A valid request whose body is of the alternative %s is accepted.", a)
		w.media = "the alternative " + a
		w.schema(b.Shape.Schema, "", w.stem, 0)
		return
	}
	d.must(s+"-valid-accepted", "accepted", b.Pointer, Args{}, "A valid request with a body of %s is accepted.", b.Media)
	if d.op.SameBytes() {
		if !b.Shape.Schema.Source.Empty() || len(b.Shape.Schema.Properties) > 0 {
			d.must(s+"-body-refused", "refuses-schema", b.Pointer+"/schema", Args{Kind: AnyKeyword}, "A body of %s that violates the schema is refused.", b.Media)
		}
		return
	}
	if b.Structured() {
		d.add(s+"-body-json", "refuses-syntax", report.Must, Clause{Pointer: b.Pointer}, Args{}, "A body that is not %s is refused.", syntax(b))
	}
	w.schema(b.Shape.Schema, "", w.stem, 0)
}

// AnyKeyword is the kind of a requirement about all keywords of a schema.
const AnyKeyword = "any"

// rowsWith returns an operation and its copies for additional media types whose requests
// have a place.
func rowsWith(op *openapi.Operation, path string) []*openapi.Operation {
	var out []*openapi.Operation
	for _, row := range op.Rows() {
		if len(placed(row, path).schemas) > 0 {
			out = append(out, row)
		}
	}
	return out
}

// asked is what a row asks of the body of an operation.
type asked struct {
	op            *openapi.Operation
	rule, pointer string
	key           schema.Key
}

// shared reports whether the body of another alternative is asked the same by the same
// place of the document, and makes that row one of this alternative too.
func (w *walker) shared(rule string, key schema.Key, pointer string) bool {
	if w.d.op.Alternative == "" {
		return false
	}
	row := w.d.asked[asked{w.d.op.First(), rule, pointer, key}]
	if row != nil {
		row.Also = append(row.Also, w.d.of)
	}
	return row != nil
}

// state remembers the last row for other alternatives of the body.
func (w *walker) state(rule string, key schema.Key, pointer string) {
	if first := w.d.op.First(); w.d.of != nil && first.HasAlternatives() {
		w.d.asked[asked{first, rule, pointer, key}] = w.d.out[len(w.d.out)-1]
	}
}

// The words by which a listing says what the requirements file promises of it. That of a
// filter is followed by the name of the parameter.
const (
	promisedLimit  = "limit"
	promisedPages  = "pages"
	promisedTotal  = "total"
	promisedSort   = "sort"
	promisedFilter = "filter "
)

// listRows are the rows about how an operation lists resources: open points by the names of
// parameters alone, suspected where the description of one says so, and a MUST where the
// requirements file promises it.
func listRows(op *openapi.Operation, l *openapi.Listing) []*Requirement {
	if l == nil {
		return nil
	}
	var out []*Requirement
	add := func(said *report.Evidence, promise, id, rule, pointer string, args Args, sentence string, values ...any) {
		r := &Requirement{ID: op.Slug + "-" + id, Rule: rule, Level: report.Open, Free: true, Clause: Clause{Pointer: pointer}, Args: args, Op: op,
			Sentence: fmt.Sprintf(sentence, values...)}
		if said != nil {
			r.Level, r.Evidence = report.Suspected, []report.Evidence{*said}
		}
		if slices.Contains(l.Promised, promise) {
			r.Level, r.Free, r.Evidence = report.Must, false, nil
		}
		out = append(out, r)
	}
	if l.Limit != nil {
		add(hints.Bounds(l.Limit.Text()), promisedLimit, "page-limit", "page-limit", l.Limit.Pointer, Args{}, "A page has at most as many items as %s says.", l.Limit.Name)
	}
	if by := l.Follows(); l.Limit != nil && by != nil && l.Key != "" {
		said := hints.Pages(by.Text())
		add(said, promisedPages, "pages-disjoint", "pages-disjoint", by.Pointer, Args{}, "No item is on two pages.")
		add(said, promisedPages, "pages-complete", "pages-complete", by.Pointer, Args{}, "The pages hold together what one large page holds.")
	}
	if l.Total != "" || l.TotalField != "" {
		add(l.CountsAll, promisedTotal, "total", "total", op.Pointer+"/responses", Args{}, "The total is the number of the items of all pages.")
	}
	for _, f := range l.Filters {
		sentence := "With %s the list has only items of that %s."
		switch f.Bound {
		case openapi.Min:
			sentence = "With %s the list has no items whose %s is below it."
		case openapi.Max:
			sentence = "With %s the list has no items whose %s is above it."
		}
		add(hints.Only(f.Parameter.Text()), promisedFilter+f.Parameter.Name, "filtered-"+openapi.NameSlug(f.Name()), "filtered", f.Parameter.Pointer, Args{From: f.Place()}, sentence, f.Name(), f.Member)
	}
	if len(l.Orders) > 0 {
		said := hints.Sorts(l.Orders[0].Parameter.Text())
		if !bothWays(l.Orders) {
			said = nil // which value stands for which direction is not known
		}
		add(said, promisedSort, "sorted", "sorted", l.Orders[0].Parameter.Pointer, Args{}, "With %s the items are in that order.", l.Orders[0].Parameter.Name)
	}
	return out
}

// bothWays reports whether a list can be sorted in both directions by each member. Then it is known
// which value stands for which direction.
func bothWays(orders []openapi.Order) bool {
	return !slices.ContainsFunc(orders, func(o openapi.Order) bool {
		return o.Direction == nil && !slices.ContainsFunc(orders, func(other openapi.Order) bool { return other.Member == o.Member && other.Down != o.Down })
	})
}

// listings derives the rows about how the operation lists resources.
func (d *deriver) listings() {
	for _, r := range listRows(d.op, d.op.Listing) {
		from := len(d.out)
		d.add(r.ID, r.Rule, r.Level, r.Clause, r.Args, "%s", r.Sentence)
		d.free(from, r.Free)
		for i := range r.Evidence {
			d.evidence(&r.Evidence[i])
		}
	}
}
