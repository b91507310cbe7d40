package judge

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// Origins remembers which request sent which fresh value.
type Origins struct {
	mu sync.Mutex
	by map[originKey]*sending
	// from has what each request sent, by its name.
	from map[string]*sending
	// sent has every short value, fresh or not.
	sent map[originKey]bool
	// numbers has what is known of the numbers that came back in the place of others.
	numbers map[originKey]*swapped
}

// swapped collects evidence about numbers that came back in the place of the sent ones: are they from
// other requests? A server may also compute a number (rounded, with a fee, a count, a sum, a time, the
// largest so far), which another request happens to have sent. But computed numbers are seldom among
// the sent ones, and the largest is never lower.
type swapped struct{ lower, higher, made bool }

// sending is the request that sent a value, and what identifies the
// resource that it was about.
type sending struct {
	request, numbers string
	// path are the parameters of the path, in JSON.
	path string
	// shares are the values that can name the resource, with their members.
	shares []string
	// keys are the keys of things that the body names, with their members.
	keys []string
	// answer is the body of the success that came at a time, if it is short.
	answer string
	came   time.Time
}

type originKey struct {
	op          *openapi.Operation
	path, value string
}

// shared marks a value that several requests sent. It proves nothing.
const shared = "\x00shared"

// Note records the fresh values of a query and of a body, also those inside unknown members: a
// server that merges objects takes them for its own.
func (o *Origins) Note(m *message.Message, sender string) (answered func(*exchange.Exchange)) {
	op, tree := m.Op, m.Tree
	if m.Raw != nil { // a server takes the values of any spelling
		tree = nil
		if d, err := jsontree.Parse(m.Raw); err == nil {
			tree = d.Root
		}
	}
	values := message.Values(op, tree)
	this := &sending{request: sender, numbers: numbersOf(values), path: m.Address, shares: append(names(tree), names(m.Params.Get("query"))...), keys: keys(tree)}
	if path := m.Params.Get("path"); path != nil {
		this.path += string(path.Emit())
	}
	o.mu.Lock()
	if o.from == nil {
		o.from = map[string]*sending{}
	}
	if len(this.shares)+len(this.keys) > 0 || this.numbers != "" {
		o.from[sender] = this
	}
	o.mu.Unlock()
	for _, m := range values {
		o.use(keyOf(op, m))
	}
	texts := append(values, message.Nested(op, tree)...)
	if held := plan.Carrier(tree); held != nil && held != tree {
		texts = append(texts, held.Members...)
	}
	for _, m := range texts {
		o.send(this, op, message.At(m.Name, false), m.Value)
		o.send(this, nil, "", m.Value)
	}
	if query := m.Params.Get("query"); query != nil {
		for _, q := range query.Members {
			o.send(this, op, message.At(q.Name, true), q.Value)
			o.send(this, nil, "", q.Value)
		}
	}
	return func(e *exchange.Exchange) {
		if e == nil || e.Response == nil || !e.Success() || len(e.Response.Content) > longestAnswer {
			return
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		this.answer, this.came = string(e.Response.Content), e.Began.Add(e.Took)
	}
}

// send records that a request sent a value at a path, or anywhere if there is no operation.
func (o *Origins) send(by *sending, op *openapi.Operation, path string, v *jsontree.Value) {
	if !freshValue(v) {
		return
	}
	k := originKey{op, path, spelled(v)}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[originKey]*sending{}
	}
	if old, ok := o.by[k]; ok && old.request != by.request {
		o.by[k] = &sending{request: shared}
	} else {
		o.by[k] = by
	}
}

func freshValue(v *jsontree.Value) bool {
	return v.Kind == jsontree.String && plan.IsFresh(v.Text) || v.Kind == jsontree.Number && plan.IsFreshNumber(spelled(v))
}

// spelled is a value as a text: whole numbers have one spelling.
func spelled(v *jsontree.Value) string {
	if n, whole := jsontree.Int64(v.Text); v.Kind == jsontree.Number && whole {
		return strconv.FormatInt(n, 10)
	}
	return v.Text
}

// longestAnswer bounds the answers that are remembered, in bytes.
const longestAnswer = 2 << 10

// longestUsed bounds the values that are remembered to have been sent, in bytes.
const longestUsed = 64

func keyOf(op *openapi.Operation, m jsontree.Member) originKey {
	text := m.Value.Text
	if m.Value.Kind == jsontree.Number {
		text = jsontree.Canonical(text)
	}
	return originKey{op, "/" + jsontree.EscapePointer(m.Name), text}
}

func (o *Origins) use(k originKey) {
	if len(k.value) > longestUsed {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sent == nil {
		o.sent = map[originKey]bool{}
	}
	o.sent[k] = true
}

// Used reports whether a request of this run sent the value of a member, if it is short.
func (o *Origins) Used(op *openapi.Operation, m jsontree.Member) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent[keyOf(op, m)]
}

// numbersOf writes the numbers of a request body, equal ones in the same way. Two
// requests with the same numbers may be about the same resource.
func numbersOf(values []jsontree.Member) string {
	var out []byte
	for _, m := range values {
		if m.Value.Kind == jsontree.Number {
			out = append(append(append(out, m.Name...), '='), jsontree.Canonical(m.Value.Text)...)
		}
	}
	return string(out)
}

// origin reports which request sent a value of the answer to s.
func (o *Origins) origin(s *subject, path, value string) requirement.Origin {
	o.mu.Lock()
	by, known := o.by[originKey{s.op, path, value}]
	o.mu.Unlock()
	switch {
	case !known || by.request == shared:
		return requirement.NoOrigin
	case by.request == s.sender:
		return requirement.OwnRequest
	case s.sent.Body != nil && by.numbers != "" && by.numbers == numbersOf(message.Values(s.op, s.sent.Body.Root())):
		return requirement.SameResource
	}
	return requirement.OtherRequest
}

// names lists the values of a body, at any depth, by which a server may know a thing again:
// fresh words, addresses, and what a member holds that is a key.
func names(tree *jsontree.Value) []string {
	return scalars(tree, func(name string, v *jsontree.Value) bool {
		return hints.IsKey(name) || v.Kind == jsontree.String && (plan.IsFresh(v.Text) || strings.Contains(v.Text, "@") || strings.Contains(v.Text, "://"))
	})
}

// keys lists the values of a body or an answer, at any depth, that are keys or refer to a thing by its key.
func keys(tree *jsontree.Value) []string {
	return scalars(tree, func(name string, _ *jsontree.Value) bool { return hints.KeyAt("/" + name) })
}

// scalars lists some of the texts and numbers of a tree, at any depth, with the names of their members.
func scalars(tree *jsontree.Value, some func(name string, v *jsontree.Value) bool) (out []string) {
	if tree == nil {
		return nil
	}
	tree.Walk(func(pointer string, v *jsontree.Value) {
		name, _ := jsontree.UnescapePointer(pointer[strings.LastIndexByte(pointer, '/')+1:])
		switch {
		case v.Kind == jsontree.String && some(name, v):
			out = append(out, name+"\x00"+v.Text)
		case v.Kind == jsontree.Number && some(name, v):
			out = append(out, name+"\x00"+jsontree.Canonical(v.Text))
		}
	})
	return out
}

// made returns what the answer to a request says that it made; nil if that is no JSON.
func (s *sending) made() *jsontree.Value {
	d, err := jsontree.Parse([]byte(s.answer))
	if err != nil {
		return nil
	}
	return d.Root
}

// keyIn returns the first key in an object, or in one of its members that is an object.
func keyIn(v *jsontree.Value) string {
	if v == nil || v.Kind != jsontree.Object {
		return ""
	}
	for _, m := range v.Members {
		if scalar := m.Value.Kind == jsontree.String || m.Value.Kind == jsontree.Number; scalar && hints.IsKey(m.Name) {
			return m.Value.String()
		}
	}
	for _, m := range v.Members {
		if key := keyIn(m.Value); key != "" {
			return key
		}
	}
	return ""
}

// another reports whether only a request about another thing sent a value that the answer to
// s has in the place of its own. A number counts as another's only if the server cannot have computed
// all the numbers that came in that place.
func (o *Origins) another(s *subject, path string, own, came *jsontree.Value, kind string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	is := o.ofAnother(s, path, spelled(came), kind)
	if came.Kind != jsontree.Number || !freshValue(came) {
		return is // a short number has too many senders
	}
	k := originKey{op: s.op, path: path}
	if o.numbers == nil {
		o.numbers = map[originKey]*swapped{}
	}
	seen := o.numbers[k]
	if seen == nil {
		seen = &swapped{}
		o.numbers[k] = seen
	}
	k.value = spelled(came)
	switch _, sent := o.by[k]; {
	case !sent:
		seen.made = true
	case is:
		seen.lower = seen.lower || jsontree.Compare(came.Text, own.Text) < 0
		seen.higher = seen.higher || jsontree.Compare(came.Text, own.Text) > 0
	}
	return is && !seen.made && seen.lower && seen.higher
}

// ofAnother reports whether only a request about another thing sent a value. Requests may be about
// the same thing if both have a value that can name it, if this request sends a key that the server gave to
// the thing of the other one, if their paths are the same and neither makes a thing, or if the answers
// have one key and the other one was answered before this request was sent: the server then returns what
// is there. A query makes nothing: its values are stored nowhere unless another operation sent them too.
func (o *Origins) ofAnother(s *subject, path, value, kind string) bool {
	by, this := o.by[originKey{s.op, path, value}], o.from[s.sender]
	switch {
	case by == nil || this == nil || by.request == shared || by.request == s.sender:
		return false
	case slices.ContainsFunc(this.shares, func(v string) bool { return slices.Contains(by.shares, v) }):
		return false
	case kind == requirement.AskedValues:
		return o.by[originKey{nil, "", value}].request == by.request
	}
	made := by.made()
	if len(this.keys) > 0 && slices.ContainsFunc(keys(made), func(k string) bool { return slices.Contains(this.keys, k) && !slices.Contains(by.keys, k) }) {
		return false // the server gave by's thing the key that this request sends
	}
	key, other := keyIn(s.Answer.Reading.Root()), keyIn(made)
	switch {
	case key != "" && key == other:
		return !by.came.Before(s.Exchange.Began)
	case kind == requirement.MadeValues || by.path != this.path:
		return true
	}
	return key != "" && other != ""
}

// Unknown reports whether no request of this run sent the value.
func (o *Origins) Unknown(op *openapi.Operation, m jsontree.Member) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, known := o.by[originKey{op, "/" + jsontree.EscapePointer(m.Name), m.Value.Text}]
	return !known
}
