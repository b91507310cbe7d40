// Package message defines a request and turns it into bytes: for the wire and for
// people. It also reads bytes back and says what they ask of a server.
package message

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Message is a request before it is bytes, so that mutators and shrinking can
// change one thing.
type Message struct {
	Op *openapi.Operation
	// Tree with Style is the body. Raw, if not nil, replaces it. Without Tree and
	// Raw there is no body.
	Tree  *jsontree.Value
	Style jsontree.Style
	Raw   []byte
	// Params are the parameters, by section and name. It is nil if the operation has
	// none.
	Params *jsontree.Value
	// Bound are the values that the target gives, by path: "path/id" for a parameter,
	// "/owner" for a member of the body. Until the target gave one, it is the value
	// that stands for it.
	Bound map[string]*jsontree.Value
	// Unguessed says that its values are not of the kinds that names suggest, because the target
	// refused these: any text is then as ordinary as any other.
	Unguessed bool
	// Address, if not empty, is sent instead of the path: it is that of the Location of an
	// answer, and begins at the root of the server.
	Address string
	// PathSpelling is how the path is written.
	PathSpelling PathSpelling
	// Fields override the baseline fields of the same name, or are added.
	Fields []exchange.Field
	// Drop lists baseline fields that are left out.
	Drop []string
	// Query follows the parameters, without a question mark.
	Query string
	// Names changes the spelling of field names; nil leaves them as usual.
	Names func(string) string
	// Gap is what stands behind the colon of every field.
	Gap Gap
	// Order is the order of the fields.
	Order Order
	// Credentials is nil for the valid one, empty for none.
	Credentials []Presented
	// Other sends the message as the other principal.
	Other bool
	// Framing chooses how the body travels.
	Framing Framing
	// Rest is where the sender pauses for long.
	Rest Rest
	// Crowd marks a message that is sent at the same time as more others than a target is
	// known to serve.
	Crowd bool
	// Ends ends the sender's half of the connection behind the request.
	Ends bool
	// Gate, if not nil, holds back the last piece of a message that is sent in pieces.
	Gate *exchange.Gate
	// Followed are the messages that are sent in one piece with this one, behind it. Behind
	// marks them.
	Followed []*Message
	Behind   bool
	// Version is that of the request line. It is empty for HTTP/1.1.
	Version string
}

// Unusual is 0 if the message differs from a baseline request at most in its
// credential and its body. It is larger the more it differs.
func (m *Message) Unusual() int {
	n := len(m.Fields) + len(m.Drop) + int(m.Framing) + len(m.Query)
	for _, odd := range [...]bool{m.PathSpelling != PathAsUsual, m.Names != nil, m.Gap != OneBlank, m.Order != UsualOrder, m.Version != "", m.Ends, m.Rest != RestNever} {
		if odd {
			n++
		}
	}
	return n
}

// Clone returns a deep copy of a message.
func (m *Message) Clone() *Message {
	out := *m
	out.Tree, out.Params = m.Tree.Clone(), m.Params.Clone()
	out.Fields = append([]exchange.Field(nil), m.Fields...)
	out.Drop = append([]string(nil), m.Drop...)
	return &out
}

// Bind sets the values that stand for those of the target, at the places that the
// operation names and the message has.
func (m *Message) Bind() { m.BindNew(nil) }

// BindNew is like Bind, but leaves out the places where an earlier form of the message had a value:
// a case may be about that.
func (m *Message) BindNew(before *Message) {
	bind := func(path string) {
		if before == nil || before.At(path) == nil {
			m.bind(path)
		}
	}
	for _, path := range m.Op.Bind {
		bind(path)
	}
	for path := range m.Op.Same {
		bind(path)
	}
}

// Given says that an answer gave the value at a place, which must then be accepted.
func (m *Message) Given(path string, v *jsontree.Value) {
	bound := map[string]*jsontree.Value{path: v}
	for at, stands := range m.Bound {
		if at != path {
			bound[at] = stands
		}
	}
	m.Bound = bound
}

func (m *Message) bind(path string) {
	v := m.At(path)
	if v == nil || m.Bound[path] != nil {
		return
	}
	if m.Bound == nil {
		m.Bound = map[string]*jsontree.Value{}
	}
	m.Bound[path] = v.Clone()
}

// Put replaces the value that stands for the target's own wherever it still is, and
// returns a message with the target's value there. A null says that no value is
// known: then any may be refused.
func (m *Message) Put(values map[string]*jsontree.Value) *Message {
	out := m.Clone()
	out.Bound = maps.Clone(m.Bound)
	for path, stands := range m.Bound {
		v := values[path]
		if v == nil {
			continue
		}
		if old := out.At(path); old != nil && v.Kind != jsontree.Null {
			out.Set(path, instead(old, stands, v))
		}
		out.Bound[path] = v
	}
	for path, param := range m.Op.Same {
		out.repeat(path, param, m.Bound[path])
	}
	return out
}

// minStanding is the length of a value that stands for the target's own and is found inside a
// text, where a shorter one may be by chance.
const minStanding = 6

// instead returns the target's value where the one that stands for it was, and a text that was made
// of that, such as 12abc, made of the target's: only then it shows who reads 12.
func instead(old, stands, v *jsontree.Value) *jsontree.Value {
	switch {
	case jsontree.Equal(old, stands):
		return v.Clone()
	case old.Kind == jsontree.String && len(stands.Text) >= minStanding && v.Text != "" && strings.Contains(old.Text, stands.Text):
		return jsontree.NewString(strings.Replace(old.Text, stands.Text, v.Text, 1))
	}
	return old
}

// repeat gives a member of the body the value that the path has, where it still has
// the one that stands for it. A value that the member may not have goes into the path alone: the
// body then keeps the value of the target.
func (m *Message) repeat(path, param string, stands *jsontree.Value) {
	old, v := m.At(path), m.At(param)
	if old == nil || v == nil || stands == nil {
		return
	}
	if own, s := m.Bound[param], m.Op.Body.Shape.Schema.At(path); own != nil && s != nil && !m.Op.Body.Shape.Matches(s, v) {
		v = own
	}
	v = v.Clone()
	switch {
	case old.Kind == jsontree.Number && jsontree.ValidNumber(v.Text):
		v = jsontree.NewNumber(v.Text)
	case old.Kind == jsontree.String:
		v = jsontree.NewString(v.Text)
	}
	if jsontree.Equal(old, stands) {
		m.Set(path, v)
	}
	m.Bound[path] = v
}

// At returns the value at a place: of a parameter ("query/limit") or of the body
// ("/owner"). It is nil if there is none.
func (m *Message) At(path string) *jsontree.Value {
	tree, pointer := m.part(path)
	return tree.At(pointer)
}

// Key returns the value of the last expression of the path, which names what the request
// is about. It is nil if the path has none.
func (m *Message) Key() *jsontree.Value {
	names := openapi.Expressions(m.Op.Path)
	if len(names) == 0 {
		return nil
	}
	return m.At(openapi.PathPlace(names[len(names)-1]))
}

// Set puts a value at a place. It returns false if the place above is not there.
func (m *Message) Set(path string, v *jsontree.Value) bool {
	tree, pointer := m.part(path)
	return tree.SetAt(pointer, v)
}

// SetHeader gives a header field a value: in the parameter that the document has for it, if any.
func (m *Message) SetHeader(name, value string) {
	for _, p := range m.Op.Parameters {
		if p.In == "header" && strings.EqualFold(p.Name, name) && m.Set(p.Place(), jsontree.NewString(value)) {
			return
		}
	}
	m.Fields = append(slices.DeleteFunc(m.Fields, func(f exchange.Field) bool { return f.Name == name }), exchange.Field{Name: name, Value: value})
}

// Fix puts a value at a place. The target's own value does not replace it, even if the value
// that stood for that one was the same.
func (m *Message) Fix(path string, v *jsontree.Value) {
	m.Set(path, v)
	if m.Bound[path] != nil {
		m.Bound = maps.Clone(m.Bound)
		m.Bound[path] = jsontree.NewNull()
	}
}

// drops reports whether a baseline field is left out.
func (m *Message) drops(field string) bool {
	return slices.ContainsFunc(m.Drop, func(name string) bool { return strings.EqualFold(name, field) })
}

// Remove takes out the value at a place and reports whether there was one.
func (m *Message) Remove(path string) bool {
	tree, pointer := m.part(path)
	return tree.RemoveAt(pointer)
}

// part returns the tree that a path leads into, and the pointer there.
func (m *Message) part(path string) (tree *jsontree.Value, pointer string) {
	if path == "" || strings.HasPrefix(path, "/") {
		if strings.Contains(path, "/*") && m.Tree.At(path) == nil {
			path = strings.ReplaceAll(path, "/*", "/0") // the first of the items stands for them
		}
		return m.Tree, path
	}
	return m.Params, "/" + path
}

// Endpoint turns messages into bytes for one target.
type Endpoint struct {
	Target exchange.Target
	// Token is the credential of every scheme that has none of its own in Keys.
	Token string
	Keys  *Keys
	// Other are the credentials of another principal, by scheme. It has the usual ones of
	// the other schemes.
	Other   map[string]string
	asOther bool
	Auth    func(op *openapi.Operation) *Auth
	// UserAgent is the same for every request, so that a target cannot tell from it
	// which case it gets.
	UserAgent string
	// NameCases adds the field CaseField with the id of the case, for debugging.
	NameCases bool
	// Trace adds a trace context that is made of the seed and the case.
	Trace     bool
	TraceSeed uint64
	// Headers are sent with every request. ShownHeaders are the same fields without
	// secrets.
	Headers, ShownHeaders []exchange.Field
}

// CaseField is the header field with the case id, which is sent if the user asks
// for it.
const CaseField = "X-Conformance-Case"

// Wire returns the request as it is sent.
func (e *Endpoint) Wire(m *Message, caseID string) *exchange.Request {
	return e.render(m, caseID, false)
}

// Shown returns the request as it is shown to people, without secrets.
func (e *Endpoint) Shown(m *Message, caseID string) *exchange.Request {
	return e.render(m, caseID, true)
}

// MaxRead is how many bytes of an answer to GET are read: a list without pages holds all that a
// run has made.
const MaxRead = 8 << 20

func (e *Endpoint) render(m *Message, caseID string, show bool) *exchange.Request {
	body, media, badBody := m.encode()
	framed := body
	switch m.Framing {
	case Chunked:
		framed = exchange.Chunk(body, 1, 7, 64, 8192)
	case SplitChunks:
		framed = exchange.Chunk(body, insideCharacters(body)...)
	case LastChunk:
		framed = exchange.Chunk(body, len(body)-1)
	}
	inputs, badInputs := m.inputs()
	presented, keys := e.presented(m), e.keysOf(m)
	inputs.Query = joined(inputs.Query, e.wireQuery(presented, keys, show))
	inputs.Cookie = append(inputs.Cookie, e.cookies(presented, keys, show)...)
	head, err := exchange.BuildHead(cmp.Or(m.Version, exchange.UsualVersion), m.Op.Method, e.addressOf(m, inputs), e.fields(m, inputs, presented, keys, caseID, media, len(body), show))
	head = m.Gap.in(head)
	r := &exchange.Request{Method: m.Op.Method, Head: head, Body: framed, AwaitContinue: m.Framing == Expect && len(body) > 0, Case: caseID, Keys: keys, Err: cmp.Or(badBody, badInputs, err)}
	if m.Op.Method == http.MethodGet {
		r.BodyLimit = MaxRead
	}
	r.Alone = len(head) > longHead && (len(m.Fields) > 0 || m.Query != "" || m.Credentials != nil) || m.expects()
	switch m.Framing {
	case Pieces:
		r.Cuts = []int{0, insideCharacter(body)}
	case HeadPieces:
		r.Cuts = []int{-len(head) / 2}
	case ManyPieces:
		r.Cuts = everywhere(len(head), len(framed))
	case AsIs:
		c := carried(head, framed)
		if r.MayClose, r.MayWait = c.closes, c.waits; c.closes {
			r.End = exchange.EndInSilence
		}
	}
	if m.Rest != RestNever {
		r.Cuts, r.Slow, r.Long = m.Rest.cuts(head, framed), true, m.Rest == RestLong
	}
	for _, next := range m.Followed {
		n := e.render(next, caseID, show)
		r.Next = append(append(r.Next, n.Head...), n.Body...)
		r.Err = cmp.Or(r.Err, n.Err)
	}
	r.Followers, r.Behind, r.Gate = len(m.Followed), m.Behind, m.Gate
	if !visible(head) || slices.ContainsFunc(m.Credentials, func(p Presented) bool { return len(p.Value("")) > longField }) {
		r.MayClose = true
	}
	if slices.ContainsFunc(m.Fields, func(f exchange.Field) bool { return strings.EqualFold(f.Name, "Upgrade") }) {
		r.MayWait, r.End = true, exchange.EndInSilence // for bytes of the other protocol
	}
	if m.Ends {
		r.End, r.MayClose = exchange.EndAtOnce, true
	}
	return r
}

// expects reports whether a message has an expectation of its own. It is the last one on its
// connection: a server that refuses it, such as one with Netty, may take the body for the next
// request, because a client that sends an expectation usually waits before it sends the body.
func (m *Message) expects() bool {
	return slices.ContainsFunc(m.Fields, func(f exchange.Field) bool { return strings.EqualFold(f.Name, "Expect") })
}
