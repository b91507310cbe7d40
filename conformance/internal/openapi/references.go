package openapi

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Error is a reference that cannot be followed inside the document.
type ReferenceError struct {
	Pointer string          // JSON pointer of the keyword
	Why     string          // one line, with what to do
	Holder  *jsontree.Value // what has the keyword, which is taken out
	Beyond  bool            // the document may be right, and this version cannot follow it
}

// Error gives pointer and reason on one line.
func (e *ReferenceError) Error() string {
	return strings.Trim(strconv.Quote(jsontree.Cut(e.Pointer, 500)), `"`) + ": " + e.Why
}

// Document changes a document in place: $ref and $dynamicRef become references
// to JSON pointers, $id, $anchor, $dynamicAnchor and $schema go, since nothing
// depends on them any more. At is its address, by which it may refer to itself. Notes
// say, a line each, what is not read as the document asks. Bad are the references and
// identifiers that mean nothing: they are taken out, so their holders no longer mean
// what the author wanted.
//
// Open reads another file, or returns why that is not possible; nil reads none. What it
// gives becomes a part of root, below Files.
func ResolveReferences(root *jsontree.Value, at *url.URL, openapi string, open func(File) (v *jsontree.Value, why string)) (notes []string, bad []*ReferenceError) {
	r := &resolver{root: root, old: strings.HasPrefix(openapi, "3.0"), known: map[target]string{}, open: open, settled: map[*jsontree.Value]bool{}, seen: map[*jsontree.Value]bool{}}
	r.base = &resource{uri: at}
	r.files, r.unread = map[string]*resource{}, map[string]string{}
	r.resources = map[string]*resource{r.base.uri.String(): r.base}
	r.run()
	return r.notes, r.bad
}

// resource is what a base URI stands for: the document, or a schema with an $id
// (JSON Schema 2020-12, core, 8.2.1), which it then is.
type resource struct {
	uri     *url.URL
	pointer string
	anchors map[string]anchor
}

// anchor is a place with a name in a resource.
type anchor struct {
	pointer string
	dynamic bool
}

// reference is a $ref or $dynamicRef that waits until all names are known.
type reference struct {
	holder  *jsontree.Value
	pointer string // of holder
	in      *resource
	kind    objectKind
	dynamic bool
}

// target is what a reference means, as an object of a kind.
type target struct {
	kind objectKind
	uri  string
}

type resolver struct {
	root      *jsontree.Value
	old       bool // OpenAPI 3.0, where $id and anchors mean nothing
	base      *resource
	resources map[string]*resource
	waiting   []reference
	known     map[target]string // pointers that references were resolved to
	seen      map[*jsontree.Value]bool
	settled   map[*jsontree.Value]bool // their $ref is a pointer into the document already
	dynamic   map[string]int           // how many places have a $dynamicAnchor
	path      []string
	open      func(File) (v *jsontree.Value, why string)
	files     map[string]*resource // files that were read, by their names
	unread    map[string]string    // why other files were not, by their addresses
	notes     []string
	bad       []*ReferenceError
	spelled   int // bytes of the pointers in bad
}

// run walks the document, then what references name beside the places where
// OpenAPI has objects, such as a schema in an extension.
func (r *resolver) run() {
	r.dialectOf(r.root, "jsonSchemaDialect")
	for _, keyword := range []string{"$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor"} {
		// Names of no meaning here, which a reader of schemas would heed.
		r.root.Remove(keyword)
	}
	if len(r.bad) == 0 { // what refuses the document has to be found again
		r.root.Remove("jsonSchemaDialect")
	}
	r.object(r.root, parsedDocument, r.base)
	r.object(r.root, schemaObject, r.base) // a reader of schemas takes the root for one
	for len(r.waiting) > 0 {
		list := r.waiting
		r.waiting = nil
		for _, ref := range list {
			r.settle(ref)
		}
	}
}

// maxSpelled bounds the pointers of bad references, so that a deep document full of
// them stays cheap. Beyond it they are cut.
const maxSpelled = 4 << 20

// fail records that a keyword of an object means nothing, takes it out, and returns what
// was recorded.
func (r *resolver) fail(v *jsontree.Value, pointer, keyword, format string, args ...any) *ReferenceError {
	at := pointer + "/" + keyword
	if r.spelled += len(at); r.spelled > maxSpelled {
		at = jsontree.Cut(at, 200)
	}
	one := &ReferenceError{Pointer: at, Why: keyword + " " + fmt.Sprintf(format, args...), Holder: v}
	r.bad = append(r.bad, one)
	if v != r.root {
		v.Remove(keyword)
	}
	return one
}

func (r *resolver) note(line string) {
	if !slices.Contains(r.notes, line) {
		r.notes = append(r.notes, line)
	}
}

// here is the JSON pointer of the object that is walked.
func (r *resolver) here() string {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		b.WriteString(jsontree.EscapePointer(s))
	}
	return b.String()
}

// dialect reports whether a name of a JSON Schema dialect is one that this suite
// reads without opening anything: 2020-12, or that of OpenAPI 3.1 (4.8.24.5).
// Older drafts are read as 2020-12, and old names them.
func dialect(uri string) (known bool, old string) {
	uri = strings.TrimSuffix(uri, "#")
	if strings.HasPrefix(uri, "https://spec.openapis.org/oas/3.1/dialect/") {
		return true, ""
	}
	_, name, _ := strings.Cut(uri, "://")
	switch {
	case !strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "https://"):
		return false, ""
	case name == "json-schema.org/draft/2020-12/schema":
		return true, ""
	case name == "json-schema.org/draft/2019-09/schema":
		return true, "2019-09"
	}
	for _, draft := range []string{"draft-04", "draft-06", "draft-07"} {
		if name == "json-schema.org/"+draft+"/schema" {
			return true, draft
		}
	}
	return false, ""
}

// kind is an object of the OpenAPI Specification, 3.0 and 3.1, section 4.8, or 3.2.
type objectKind uint8

const (
	other objectKind = iota // holds no reference that means anything
	parsedDocument
	components
	pathItem
	operation
	parameter // and header, which is one without name and place
	bodyObject
	response
	mediaType
	encoding
	callback
	named // an example, a link or a security scheme: only its reference counts
	schemaObject
)

// shape is how many objects a member holds.
type shape uint8

const (
	one     shape = iota
	list          // an array of them
	byKey         // an object of them, whatever the keys
	paths         // an object of them, but for keys that begin with x-
	maximum       // one, or an array of them: items, before 2020-12
)

// member is what stands below a name.
type member struct {
	kind  objectKind
	shape shape
}

// members tells what stands below the names of each kind of object. Names that
// are not here hold values, which may have any member: an example, a default.
var members = map[objectKind]map[string]member{
	parsedDocument: {
		"paths": {pathItem, paths}, "webhooks": {pathItem, byKey}, "components": {components, one},
	},
	components: {
		"schemas": {schemaObject, byKey}, "responses": {response, byKey}, "parameters": {parameter, byKey}, "examples": {named, byKey},
		"requestBodies": {bodyObject, byKey}, "headers": {parameter, byKey}, "securitySchemes": {named, byKey}, "links": {named, byKey},
		"callbacks": {callback, byKey}, "pathItems": {pathItem, byKey}, "mediaTypes": {mediaType, byKey},
	},
	pathItem: {
		"get": {operation, one}, "put": {operation, one}, "post": {operation, one}, "delete": {operation, one}, "options": {operation, one},
		"head": {operation, one}, "patch": {operation, one}, "trace": {operation, one}, "query": {operation, one},
		"additionalOperations": {operation, byKey}, "parameters": {parameter, list},
	},
	operation: {
		"parameters": {parameter, list}, "requestBody": {bodyObject, one}, "responses": {response, paths}, "callbacks": {callback, byKey},
	},
	parameter:  {"schema": {schemaObject, one}, "content": {mediaType, byKey}, "examples": {named, byKey}},
	bodyObject: {"content": {mediaType, byKey}},
	response:   {"headers": {parameter, byKey}, "content": {mediaType, byKey}, "links": {named, byKey}},
	mediaType:  {"schema": {schemaObject, one}, "itemSchema": {schemaObject, one}, "examples": {named, byKey}, "encoding": {encoding, byKey}},
	encoding:   {"headers": {parameter, byKey}},
	schemaObject: {
		"properties": {schemaObject, byKey}, "patternProperties": {schemaObject, byKey}, "dependentSchemas": {schemaObject, byKey}, "dependencies": {schemaObject, byKey},
		"$defs": {schemaObject, byKey}, "definitions": {schemaObject, byKey},
		"allOf": {schemaObject, list}, "anyOf": {schemaObject, list}, "oneOf": {schemaObject, list}, "prefixItems": {schemaObject, list}, "items": {schemaObject, maximum},
		"additionalItems": {schemaObject, one}, "unevaluatedItems": {schemaObject, one}, "contains": {schemaObject, one},
		"additionalProperties": {schemaObject, one}, "unevaluatedProperties": {schemaObject, one}, "propertyNames": {schemaObject, one},
		"not": {schemaObject, one}, "if": {schemaObject, one}, "then": {schemaObject, one}, "else": {schemaObject, one}, "contentSchema": {schemaObject, one},
	},
}

// refers reports whether objects of a kind may be references.
func (k objectKind) refers() bool {
	switch k {
	case pathItem, parameter, bodyObject, response, mediaType, callback, named, schemaObject:
		return true
	}
	return false
}

// below gives what stands below a name of an object of a kind.
func (k objectKind) below(name string) (member, bool) {
	if k == callback {
		return member{pathItem, one}, true
	}
	m, ok := members[k][name]
	return m, ok
}
