// Package openapi reads an OpenAPI document: its operations with their parameters, bodies, answers,
// links and security. What its schemas say, package schema knows.
//
// ConvertSwagger turns Swagger 2.0 into OpenAPI 3.0 that says the same. ResolveReferences
// makes a document refer to nothing but itself: it finds every reference and identifier
// where OpenAPI 3.0 and 3.1 give them a meaning, takes out and names what leads outside, and
// writes what is left as JSON pointers into the document. A member that is merely named
// like a keyword, such as a property $ref, is left alone.
package openapi

import (
	"math/big"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"slices"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/yamltree"
	"plantstore/conformance/report"
)

// Contract is what a document asks of a server. Once it is returned it never changes, see Copy.
type Contract struct {
	Name    string // file name, for messages
	Title   string
	Version string // of the interface, not of OpenAPI
	OpenAPI string
	Digest  string // SHA-256 of the bytes, hexadecimal
	// Stated is a digest of what the document states, whatever it says in words.
	Stated string
	Size   int // in bytes
	// Operations are in document order.
	Operations []*Operation
	// SchemeNames are the security schemes that the document defines.
	SchemeNames []string
	// Schemes are those that the suite can send.
	Schemes []*Scheme
	// LeftOut names, one line each, what the document has and this suite does not
	// test. It is always shown.
	LeftOut []string
	// Cut is how many schemas are tried only in part; LeftOut names them.
	Cut int
	// Omitted are the operations that are left out.
	Omitted []Omitted

	tree *yamltree.Tree
	// root is the user's document as it is read: self-contained, and converted if it is
	// Swagger.
	root *jsontree.Value
	// origin tells where in the user's document a pointer into root stands; nil if
	// that is the same place.
	origin func(pointer string) string
	others others
}

// Resolves reports whether a JSON pointer names something in the document.
func (c *Contract) Resolves(pointer string) bool { return c.tree.Root.At(pointer) != nil }

// Document returns the document as JSON, as it applies to answers: members that are
// writeOnly are not required. It refers only to itself.
func (c *Contract) Document() []byte {
	return schema.Directed(c.root, schema.Answers).Emit()
}

// Where returns file, line and column of a JSON pointer into the document.
func (c *Contract) Where(pointer string) string {
	if tree, _, rest := c.others.find(pointer); tree != nil {
		return tree.Where(rest)
	}
	return c.tree.Where(c.Clause(pointer))
}

// Line returns the line of a pointer that Clause returned, from 1, and the path of the
// other file that it leads into; empty for the document itself. The line is 0 if no such
// file was read.
func (c *Contract) Line(clause string) (file string, line int) {
	if strings.HasPrefix(clause, "/") {
		return "", c.tree.Line(clause)
	}
	file, rest, _ := strings.Cut(clause, "#")
	if tree := c.others.trees[file]; tree != nil {
		return file, tree.Line(rest)
	}
	return file, 0
}

// Clause returns where in the user's document a part stands, as a JSON pointer that
// resolves there. The pointers of operations, schemas and other parts are those of
// the document as it is read.
//
// For a part in another file, it is the path of the file, # and the pointer.
func (c *Contract) Clause(pointer string) string {
	if tree, path, rest := c.others.find(pointer); tree != nil {
		return path + "#" + rest
	}
	if name, inside := strings.CutPrefix(pointer, "/"+inputs+"/"); inside {
		pointer = c.ofInputs(name)
	}
	if c.origin == nil {
		return pointer
	}
	if holder, ok := strings.CutSuffix(pointer, "/$ref"); ok {
		return c.Clause(holder) + "/$ref" // one that leads nowhere is taken out
	}
	at := c.origin(pointer)
	for at != "" && c.tree.Root.At(at) == nil {
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return at
}

// ofInputs is what stands in the user's document for a schema that only memory has: the
// operation with the parameters, or the media type with the parts.
func (c *Contract) ofInputs(name string) string {
	name, _, _ = strings.Cut(name, "/")
	name, _ = jsontree.UnescapePointer(name)
	at := name
	if method, path, of := strings.Cut(name, " "); of {
		at = "/paths/" + jsontree.EscapePointer(path) + "/" + strings.ToLower(method)
	}
	for strings.HasPrefix(at, "/") && c.tree.Root.At(at) == nil {
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return strings.TrimPrefix(at, anything)
}

// Operation is one method on one path.
type Operation struct {
	Slug    string // "post-plants": method and path, the stem of requirement ids
	Method  string
	Path    string
	Pointer string
	ID      string // operationId; may be empty
	Tags    []string
	// Nearer are the paths of the document that a request to this one could spell, and that go
	// before it (OpenAPI 3.1.1, 4.8.8.2): /users/me for /users/{id}.
	Nearer []string
	// Parameters are sorted by section: path, query, header, cookie.
	Parameters []*Parameter
	// Params is the shape of an object with a member for each section that has
	// parameters: {"path": {"id": 7}, "query": {"limit": 10}}. It is nil without
	// parameters.
	Params *schema.Shape
	// Body is nil if the operation has no request body.
	Body *Body
	// Additional are copies of the operation with a body of another media type, or of another
	// alternative, each.
	Additional []*Operation
	Responses  []*Response
	// Bind are the places whose value the target has to give, because it must name
	// something that exists: "path/id" for a parameter, "/owner" for a member of the
	// body.
	Bind []string
	// Origins say which exchanges give values of the request, as links of the document or
	// the user say.
	Origins []Origin
	// Listing says how an answer lists resources. It is nil if that is not known.
	Listing *Listing
	// Same maps members of the body to the parameters of the path that they repeat:
	// "/id" to "path/id".
	Same map[string]string
	// Accepted is what the requirements file promises of it.
	Accepted Accepted
	// Security lists the alternatives that can be sent. A request has to satisfy all
	// schemes of one of them. It is nil if the operation needs no credential.
	Security [][]*Scheme
	// Chosen is the index of the alternative that requests use.
	Chosen int
	// Undefined says that the document asks for a credential that it does not define: none is sent,
	// and no refusal for the lack of one is judged.
	Undefined bool
	// Fault is a fault of the document that keeps some of its answers from being judged, with the place
	// in the file of the user and what to mend. It is empty if there is none.
	Fault string
	// Unasked says that the document asks for no credential, and the user for one.
	Unasked bool
	// Header is the header of the user that may hold a credential, with every request. What
	// becomes of requests without one, or with another one, cannot be tried then.
	Header string

	// Partial is a text that says that members which a request leaves out may stay, and Whole one
	// that says that they do not; nil if none says so.
	Partial, Whole *report.Evidence
	// Keeps is a text that says that members which a request leaves out keep their values; nil
	// if none says so.
	Keeps *report.Evidence
	// MayCompare is a text that says only that the answer to a request with If-None-Match can be
	// 304, not that it is; nil if none says so.
	MayCompare *report.Evidence
	// Unlists is a text that says that what a DELETE removed is in no list any more; nil if none
	// says so.
	Unlists *report.Evidence
	// TellsGone is a text that says that 410 is for what was deleted; nil if none says so.
	TellsGone *report.Evidence
	// Enlists is a text that says that what a POST makes is in the list of such things; nil if
	// none says so.
	Enlists *report.Evidence
	// NewestFirst is a text that says that the newest items come first in a list; nil if none
	// says so.
	NewestFirst *report.Evidence
	// Bound is what the document says of the states in which the operation is refused; nil if
	// it says nothing.
	Bound *hints.StateBound
	// Replaces is a text that says that a PUT replaces everything; nil if none says so.
	Replaces *report.Evidence
	// Alternative is the name of the alternative of the body that this copy tries. It is
	// empty for the first, and for bodies without alternatives.
	Alternative string

	wanted *Wanted         // nil if the operation was not loaded
	told   map[string]bool // schemas at places that other alternatives try
	media  []string        // all documented ones of the body
	first  *Operation      // of a further one
	alike  *Body           // with the same schema
}

// Body is a request body of one media type.
type Body struct {
	Required bool
	Media    string // "application/json"
	Pointer  string // of the media type object
	Shape    *schema.Shape
	// Encoding says how the properties of a form are written; nil for the defaults.
	Encoding map[string]Encoding
	// Usual are numbers that the document has as examples, by the path of the member.
	Usual  map[string]*big.Int
	form   bool
	schema string // as the document has it
}

// Form reports whether the body is not JSON, but of a media type that package form
// reads and writes.
func (b *Body) Form() bool { return b.form }

// HasJSON reports whether the operation has a request body of JSON.
func (o *Operation) HasJSON() bool { return o.Body != nil && !o.Body.form }

// AsText reports whether values of the request travel as text, with separators that may split them:
// what a random one means is known when its bytes are read.
func (o *Operation) AsText() bool { return len(o.Parameters) > 0 || o.Body != nil && o.Body.form }

// Response is one documented answer.
type Response struct {
	Status  string // "200", "4XX", "default"
	Pointer string
	// Media lists the documented media types in document order. It is empty for an
	// answer without content.
	Media []Media
	// Headers are the documented header fields, in document order, without
	// Content-Type.
	Headers []*Header
}

// Media is a media type of an answer, or a range of them, and the schema of its
// body. Shape is nil if the document has no schema or the body cannot be read.
type Media struct {
	// Items says that Shape is that of a list of the parts of a stream (OpenAPI 3.2, itemSchema).
	// DataJSON says that the data of its events are JSON texts, and judged as what they hold.
	Items, DataJSON bool
	Type            string
	Pointer         string
	Shape           *schema.Shape
	// Encoding says how the properties of a form are written; nil for the defaults.
	Encoding map[string]Encoding
}

// JSON reports whether the body is JSON, or may be because the type is a range.
func (m *Media) JSON() bool { return IsJSON(m.Type) || m.Type == "*/*" || m.Type == "application/*" }

// XML reports whether the body is XML (RFC 7303, 4).
func (m *Media) XML() bool {
	t, _, err := mime.ParseMediaType(m.Type)
	return err == nil && (t == "application/xml" || t == "text/xml" || strings.HasSuffix(t, "+xml"))
}

// Range reports whether the type stands for several.
func (m *Media) Range() bool { return strings.HasSuffix(m.Type, "/*") }

// Response returns the documented answer for a status: the exact one, else its
// range, else default, else nil (OpenAPI 3.1, 4.8.16).
func (o *Operation) Response(status int) *Response {
	var byRange, byDefault *Response
	for _, r := range o.Responses {
		switch {
		case r.Matches(status):
			if len(r.Status) == 3 && r.Status[1] != 'X' {
				return r
			}
			byRange = r
		case r.Status == "default":
			byDefault = r
		}
	}
	if byRange != nil {
		return byRange
	}
	return byDefault
}

// Lists returns the documented answer of exactly that status, or nil: not one of a range
// or for all other statuses.
func (o *Operation) Lists(status int) *Response {
	if r := o.Response(status); r != nil && r.Status == strconv.Itoa(status) {
		return r
	}
	return nil
}

// Conflict reports whether a status is that of a documented refusal because of the state of a
// thing (RFC 9110, 15.5.10; RFC 4918, 11.3). The response default is enough.
func (o *Operation) Conflict(status int) bool {
	return (status == http.StatusConflict || status == http.StatusLocked) && o.Response(status) != nil
}

// Matches reports whether a status is this one or in its range. The response
// default matches no status.
func (r *Response) Matches(status int) bool {
	if len(r.Status) != 3 || status < 100 || status > 999 {
		return false
	}
	if r.Status[1] == 'X' {
		return int(r.Status[0]-'0') == status/100
	}
	return r.Status == digits(status)
}

// Documented returns the responses of one class (2 for 2xx) in document order,
// without default.
func (o *Operation) Documented(class byte) []*Response {
	var out []*Response
	for _, r := range o.Responses {
		if r.Status[0] == '0'+class {
			out = append(out, r)
		}
	}
	return out
}

// Successes returns the documented answers to a valid request: those of class 2, and
// redirects.
func (o *Operation) Successes() []*Response { return append(o.Documented(2), o.Documented(3)...) }

// BadInput reports whether a documented refusal can mean that the input is invalid:
// the status says so (RFC 9110, 15.5.1, 15.5.14 to 15.5.18 and 15.5.21), or may be
// any.
func (r *Response) BadInput() bool {
	return slices.Contains([]string{"400", "413", "414", "415", "416", "417", "422", "431", "4XX", "default"}, r.Status)
}

// Accepts reports whether a status accepts a valid request: it is 2xx, or a redirect
// that the document lists.
func (o *Operation) Accepts(status int) bool {
	return status/100 == 2 || status/100 == 3 && slices.ContainsFunc(o.Documented(3), func(r *Response) bool { return r.Matches(status) })
}

func digits(status int) string {
	return string([]byte{byte('0' + status/100), byte('0' + status/10%10), byte('0' + status%10)})
}
