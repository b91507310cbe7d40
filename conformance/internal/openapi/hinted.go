package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// forPeople are the keywords of OpenAPI and JSON Schema whose texts are for people, and ofValues those
// whose values requests and answers have.
var (
	forPeople = []string{"description", "summary", "title", "$comment"}
	ofValues  = []string{"example", "examples", "default", "enum", "const"}
)

// stated is a digest of what a document states: without its texts for people, its layout and its
// comments. A value that a request has depends on it, so that another wording changes no value.
func stated(v *jsontree.Value) string {
	h := sha256.New()
	addStated(h, v, false)
	return hex.EncodeToString(h.Sum(nil))
}

// addStated adds a value to a digest. Names reports whether the members of an object are named by
// the document: a property may be called title.
func addStated(h hash.Hash, v *jsontree.Value, names bool) {
	var b []byte
	write := func(kind byte, text string) {
		b = append(strconv.AppendInt(append(b[:0], kind), int64(len(text)), 10), ':')
		h.Write(append(b, text...)) // a hash never fails
	}
	switch v.Kind {
	case jsontree.Object:
		for _, m := range v.Members {
			if !names && m.Value.Kind == jsontree.String && slices.Contains(forPeople, m.Name) {
				continue
			}
			write('n', m.Name)
			if !names && slices.Contains(ofValues, m.Name) {
				write('v', string(m.Value.Emit()))
				continue
			}
			addStated(h, m.Value, !names && m.Name == "properties")
		}
		write('}', "")
	case jsontree.Array:
		for _, item := range v.Items {
			addStated(h, item, false)
		}
		write(']', "")
	default:
		write('v', string(v.Emit()))
	}
}

// Tells reports whether the body of a success tells that the request is refused. That counts only
// where the document gives no status for a refusal, and the status of every answer is that of a
// success.
func (o *Operation) Tells(body *jsontree.Value) bool {
	if body == nil || body.Kind != jsontree.Object || !o.OnlySuccesses() {
		return false
	}
	return slices.ContainsFunc(body.Members, func(m jsontree.Member) bool {
		v, called := m.Value, func(as hints.Meaning) bool { return hints.Called(m.Name, as) }
		switch v.Kind {
		case jsontree.Bool:
			return called(hints.Succeeded) && !v.Bool || called(hints.Failed) && v.Bool
		case jsontree.Number:
			return called(hints.ResultCode) && !fine(v.Text)
		case jsontree.String:
			return called(hints.ResultCode) && jsontree.Digits(v.Text) && !fine(v.Text) || called(hints.Outcome) && slices.Contains(hints.Names(hints.Failing), strings.ToLower(v.Text))
		}
		return false
	})
}

// OnlySuccesses reports whether the document gives no status for a refusal.
func (o *Operation) OnlySuccesses() bool {
	return !slices.ContainsFunc(o.Responses, func(r *Response) bool { return r.Status[0] != '2' && r.Status[0] != '3' })
}

// fine reports whether a result code is that of a success: 0 in any number of digits, or 2xx.
func fine(code string) bool {
	return strings.Trim(code, "0") == "" || len(code) == 3 && code[0] == '2' && jsontree.Digits(code)
}

// HasFirst reports whether the document or the requirements file says that what another operation
// made last comes first in the list that this one reads. By the document alone it is not known if
// requests give a time or a year: the newest item may be the one with the latest of these.
func (op *Operation) HasFirst(post *Operation) bool {
	if op.NewestFirst == nil && !op.Accepted.NewestFirst || op.Listing == nil || post.Method != http.MethodPost || post.Body == nil || post.Body.Shape == nil {
		return false
	}
	return op.Accepted.NewestFirst || !slices.ContainsFunc(post.Body.Shape.Schema.Properties, func(p *schema.Property) bool {
		return p.Schema != nil && (strings.HasPrefix(p.Schema.Format, "date") || hints.NamesTime(p.Name))
	})
}

// MadeOnce returns the header field by whose value a server knows a request that is sent again,
// such as Idempotency-Key, if the requirements file or its description says so. It is nil if there is none.
func (o *Operation) MadeOnce() *Parameter {
	if o.Accepted.MadeOnce != nil {
		return o.Accepted.MadeOnce
	}
	for _, p := range o.Parameters {
		if p.In == "header" && p.SentAgain() != nil {
			return p
		}
	}
	return nil
}

// SentAgain returns the description of a header field that tells a request which is sent again, or
// nil.
func (p *Parameter) SentAgain() *report.Evidence {
	return hints.SentAgain(p.Name, p.Text())
}

// stateBound reads what the descriptions of an operation and of its answer 409 say of states. It
// returns nil if they say nothing of them.
func (l *loader) stateBound(op *Operation, pointer string) *hints.StateBound {
	conflict := op.Lists(http.StatusConflict)
	if conflict == nil || !strings.Contains(op.Path, "{") || op.Method == http.MethodGet || op.Method == http.MethodHead {
		return nil
	}
	at := conflict.Pointer + "/description"
	return hints.StatesOf(l.texts(pointer), []hints.Text{{Place: at, Said: l.root.TextAt(at)}}, l.otherNouns(op))
}

// otherNouns returns the nouns of the paths, without those in front of an expression in the path
// of the operation: "only an active team" says nothing of a member.
func (l *loader) otherNouns(op *Operation) map[string]bool {
	out := map[string]bool{}
	for _, m := range l.root.Get("paths").Members {
		for part := range strings.SplitSeq(strings.ToLower(m.Name), "/") {
			if part != "" && !strings.Contains(part, "{") {
				out[part], out[hints.Singular(part)] = true, true
			}
		}
	}
	parts := strings.Split(strings.ToLower(op.Path), "/")
	for i, part := range parts[1:] {
		if own := parts[i]; strings.Contains(part, "{") {
			delete(out, own)
			delete(out, hints.Singular(own))
		}
	}
	return out
}

// BoundIn reports whether the document says that the operation is refused in some state of a
// resource of this schema.
func (o *Operation) BoundIn(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return o.Bound.Names(StateValues(p.Schema)) })
}

const maxStateValues = 12

// StateValues returns the texts that a member may have, if there are few of them.
func StateValues(s *schema.Schema) []string {
	var out []string
	for _, v := range s.Enum {
		if v.Kind == jsontree.String {
			out = append(out, v.Text)
		}
	}
	if len(out) < 2 || len(out) > maxStateValues {
		return nil
	}
	return out
}

// conditional notes the operations of which the document says only that they can answer 304.
func (c *Contract) conditional() {
	said := func(at string) hints.Text { return hints.Text{Place: at, Said: prose(c.root.At(at))} }
	for _, op := range c.Operations {
		listed := op.Lists(http.StatusNotModified)
		if listed == nil {
			continue
		}
		texts := []hints.Text{said("/info"), said(op.Pointer)}
		for _, p := range op.Parameters {
			texts = append(texts, p.Text())
		}
		op.MayCompare = hints.MayCompare(said(listed.Pointer), texts)
	}
}

// Suggests reports whether names and sentences suggest the kind or the order of some values.
func (o *Operation) Suggests() bool {
	return o.Body != nil && o.Body.Shape != nil && len(o.Body.Shape.Schema.Sequences) > 0 ||
		slices.ContainsFunc(o.Members(), func(m Member) bool {
			return m.Schema.Drawn() != nil || m.Schema.Past || len(m.Schema.Sequences) > 0
		})
}

// TellsKinds reports whether sentences alone tell of the kinds of some texts.
func (o *Operation) TellsKinds() bool {
	return slices.ContainsFunc(o.Members(), func(m Member) bool {
		return m.Schema.Told != nil || m.Schema.Items != nil && m.Schema.Items.Told != nil
	})
}

// SignsIn reports whether an operation signs a user in: it needs no credential, its body has
// one, and it makes nothing. Whom the server knows, no document says.
func (o *Operation) SignsIn() bool {
	if o.Demands() || o.Body == nil || o.Lists(http.StatusCreated) != nil {
		return false
	}
	return slices.ContainsFunc(o.Members(), func(m Member) bool {
		return strings.HasPrefix(m.Path, "/") && m.Required && (m.Schema.Format == "password" || hints.Called(m.Name, hints.Password))
	})
}
