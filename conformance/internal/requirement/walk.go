package requirement

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// walker derives one row for each keyword on each member of a schema.
type walker struct {
	d       *deriver
	rule    string
	request bool
	text    bool // values travel as text: every one of them is a string
	args    Args
	stem    string
	root    string // what holds the value, in a sentence; empty means the body
	media   string // that the rows are about; empty for the first
	when    string // the condition under which they hold, in a sentence
	part    string // the then or else that they stand in, by its pointer
	// patterns are those of the names that "*" stands for, by the path of the member.
	patterns map[string]string
}

const walkDepth = 8

func (w *walker) schema(s *schema.Schema, path, id string, depth int) {
	if s == nil || depth > walkDepth {
		w.d.deeper = w.d.deeper || s != nil
		return
	}
	w.d.deeper = w.d.deeper || s.Recursive
	what := w.place(path)
	if s.Types != nil && !(w.text && (s.Allows("string") || s.Allows("array") || s.Allows("object"))) {
		label := "type"
		if len(s.Types) == 1 {
			label = s.Types[0]
		}
		w.keyword(id+"-"+label, path, "type", s, "%s is %s", what, types(s.Types))
	}
	if s.Never {
		w.row(id+"-never", schema.Key{Path: path, Keyword: "false"}, s.Pointer, "%s has no value", what)
	}
	for _, k := range scalarKeywords {
		if s.Source.Has(k.name) && (k.name != "additionalProperties" || s.Closed) {
			label := kebab(k.name)
			if k.name == "format" {
				if !s.FormatAsserted() {
					continue
				}
				label = openapi.Slug(s.Format)
			}
			w.keyword(id+"-"+label, path, k.name, s, k.sentence, what)
		}
	}
	for _, dep := range s.Dependent {
		w.row(id+"-"+openapi.NameSlug(dep.Name)+"-dependent-required", schema.Key{Path: path, Keyword: "dependentRequired", Name: dep.Name},
			s.Source.Of("dependentRequired"), "%s with the member %s also has %s", what, dep.Name, strings.Join(dep.Needs, ", "))
	}
	for _, p := range s.Properties {
		w.property(p, path, id, depth)
	}
	// Members that only a pattern or additionalProperties covers have names that
	// only the values know: "*" stands for them.
	w.schema(s.Extra, path+"/*", id+"-extra", depth+1)
	for _, k := range s.Patterns {
		named := w.named(path+"/*", k.Pattern)
		named.schema(k.Schema, path+"/*", id+"-"+cmp.Or(openapi.Slug(k.Pattern), "pattern"), depth+1)
	}
	w.rest(s.Unevaluated, path, id+"-unevaluated-properties", depth, "%s has no members that its schemas do not evaluate")
	w.rest(s.Uncovered, path, id+"-unevaluated-items", depth, "%s has no items that its schemas do not evaluate")
	for _, dep := range s.Depending {
		w.schema(dep.Schema, path, id+"-with-"+openapi.NameSlug(dep.Name), depth+1)
	}
	for _, c := range s.Conditions {
		w.under(c, c.Then, path, "is").schema(c.Then, path, id+"-then", depth+1)
		w.under(c, c.Else, path, "is not").schema(c.Else, path, id+"-else", depth+1)
	}
	for i, p := range s.Prefix {
		w.schema(p, path+"/*", id+"-item-"+strconv.Itoa(i), depth+1)
	}
	if s.Items != nil {
		w.schema(s.Items, path+"/*", id+"-items", depth+1)
	}
}

// rest derives what is asked of the members or items that nothing else in the
// schema speaks of.
func (w *walker) rest(s *schema.Schema, path, id string, depth int, sentence string) {
	if s != nil && s.Never {
		w.row(id, schema.Key{Path: path + "/*", Keyword: "false"}, s.Pointer, sentence, w.place(path))
		return
	}
	w.schema(s, path+"/*", id, depth+1)
}

func (w *walker) property(p *schema.Property, path, id string, depth int) {
	at := path + "/" + jsontree.EscapePointer(p.Name)
	pid := id + "-" + openapi.NameSlug(p.Name)
	if !w.request && p.Schema.WriteOnly {
		args := w.args
		args.Key.Path = at
		w.d.add(pid+"-write-only", "write-only", report.Should, Clause{Pointer: p.Schema.Pointer}, args,
			"%s is writeOnly: it does not come back.", capital(w.place(at)))
		w.d.evidence(w.d.c.NeverBack(p.Schema.Pointer))
		return
	}
	if w.request && p.Schema.ReadOnly {
		return
	}
	if p.Schema.Never && !p.Required {
		w.schema(p.Schema, at, pid, depth+1)
		return
	}
	if p.Required && path == "path" {
		// Without it, the request has another path.
	} else if p.Required {
		w.row(pid+"-required", schema.Key{Path: path, Keyword: "required", Name: p.Name}, p.Need, "%s is required", w.place(at))
	} else if w.request {
		w.accept(pid+"-optional", "optional", at, p.Schema.Pointer, "%s is optional.", capital(w.place(at)))
	}
	if w.request && (path != "path" || counted(at, p.Schema)) && (!p.Required || varies(p.Schema)) {
		w.accept(pid+"-accepted", "accepted", at, p.Schema.Pointer, "Every ordinary value of %s is accepted.", w.place(at))
	}
	inside := *w
	inside.text = w.text && !(w.request && w.d.op.JSONAt(at))
	inside.schema(p.Schema, at, pid, depth+1)
}

// counted reports whether a path parameter is a list that names nothing: any number of
// items within its bounds is an ordinary value.
func counted(at string, s *schema.Schema) bool {
	name := strings.TrimSuffix(at[strings.LastIndexByte(at, '/')+1:], "s")
	return s.Type() == "array" && hints.Refers(name) == "" && !hints.IsKey(name)
}

// varies reports whether a required member has plain values beyond those of every
// baseline request: only they can show that one is refused because of it. The
// members of an object have rows of their own.
func varies(s *schema.Schema) bool {
	switch {
	case s.Const != nil:
		return false
	case s.Enum != nil:
		return len(s.Enum) > 1
	case s.Types != nil && s.Allows("null"):
		return true
	}
	switch s.Type() {
	case "object", "null":
		return false
	case "array":
		return s.MaxItems == nil || *s.MaxItems > 1 && (s.MinItems == nil || *s.MaxItems > *s.MinItems)
	case "string":
		return s.Pattern == "" && s.Format == ""
	}
	return true
}

func (w *walker) keyword(id, path, keyword string, s *schema.Schema, sentence string, values ...any) {
	w.row(id, schema.Key{Path: path, Keyword: keyword}, s.Source.Of(keyword), sentence, values...)
}

func (w *walker) row(id string, key schema.Key, pointer, sentence string, values ...any) {
	key.Under = w.part
	if w.shared(w.rule, key, pointer) {
		return
	}
	args := w.args
	args.Key = key
	if pointer == "" {
		pointer = w.d.op.Pointer
	}
	text := w.d.text[:0]
	if w.request {
		text = fmt.Appendf(text, w.with()+sentence, values...)
		text = append(text, w.when...)
		text = append(text, ". A request that violates this is refused."...)
	} else {
		text = append(text, "In the answer, "...)
		text = append(append(fmt.Appendf(text, sentence, values...), w.when...), '.')
	}
	if text[0] >= 'a' && text[0] <= 'z' {
		text[0] -= 'a' - 'A'
	}
	w.d.text = text
	w.d.row(id, w.rule, report.Must, Clause{Pointer: pointer}, args)
	w.state(w.rule, key, pointer)
}

func (w *walker) accept(id, rule, path, pointer, sentence string, values ...any) {
	key := schema.Key{Path: path}
	if w.shared(rule, key, pointer) {
		return
	}
	if w.media != "" {
		sentence = strings.Replace(sentence, "Every", "every", 1)
	}
	w.d.must(id, rule, pointer, Args{Key: key}, w.with()+sentence, values...)
	w.state(rule, key, pointer)
}

// with begins a sentence about an additional media type.
func (w *walker) with() string {
	if w.media == "" {
		return ""
	}
	return "With " + strings.ReplaceAll(w.media, "%", "%%") + ", "
}

// types lists the types of a value in a sentence.
func types(list []string) string {
	var out []string
	for _, t := range list {
		switch t {
		case "null":
		case "integer", "array", "object":
			t = "an " + t
		default:
			t = "a " + t
		}
		out = append(out, t)
	}
	return strings.Join(out, " or ")
}

// capital returns a sentence its capital letter; a pointer has none.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// longestPlace bounds what a sentence says of a path.
const longestPlace = 200

// place names a value in a sentence.
func (w *walker) place(path string) string {
	if len(path) > longestPlace {
		path = strings.ToValidUTF8(path[:longestPlace], "") + "…"
	}
	for at, pattern := range w.patterns {
		if rest, found := strings.CutPrefix(path, at); found && (rest == "" || rest[0] == '/') {
			path = strings.TrimSuffix(at, "*") + "{" + pattern + "}" + rest
			break
		}
	}
	switch {
	case path == "":
		return cmp.Or(w.root, "the body")
	case w.root != "":
		return path + " of " + w.root
	case path[0] != '/':
		in, name, _ := strings.Cut(path, "/")
		return "the " + in + " parameter " + name
	}
	return path
}

// kebab writes the name of a keyword as part of an id.
func kebab(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			c |= 0x20
		}
		b.WriteRune(c)
	}
	return b.String()
}
