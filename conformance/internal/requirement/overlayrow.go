package requirement

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
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
