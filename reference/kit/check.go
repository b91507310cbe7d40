package kit

import (
	"io"
	"math/big"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Check reads one request. What is named wrong is done wrong: a check of that
// name is left out. The first check that fails is the complaint.
type Check struct {
	Wrong     string
	Complaint string
}

// Want notes a complaint where ok is false, and reports whether to go on as if
// the value were right.
func (c *Check) Want(name string, ok bool) bool {
	if ok || name == c.Wrong {
		return true
	}
	if c.Complaint == "" {
		c.Complaint = name
	}
	return false
}

// Strict refuses what is right, where that is what is done wrong.
func (c *Check) Strict(name string, refused bool) {
	if refused && name == c.Wrong && c.Complaint == "" {
		c.Complaint = name
	}
}

// Value is a raw JSON value; nil is none.
type Value = jsontext.Value

// Body reads one JSON text: strict grammar, unique names, UTF-8.
func (c *Check) Body(r *http.Request) Value {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	v := Value(b)
	if !c.Want("body json", err == nil && v.IsValid()) {
		return nil
	}
	return v
}

// Object gives the members of an object that has no others than the known.
func (c *Check) Object(name string, v Value, closed bool, known ...string) map[string]Value {
	var out map[string]Value
	if !c.Want(name+" object", v.Kind() == '{') || json.Unmarshal(v, &out) != nil {
		return nil
	}
	for member := range out {
		if closed && !strings.Contains(" "+strings.Join(known, " ")+" ", " "+member+" ") {
			c.Want(name+" closed", false)
		}
	}
	return out
}

// Array gives the items of an array.
func (c *Check) Array(name string, v Value) []Value {
	var out []Value
	if !c.Want(name+" array", v.Kind() == '[') || json.Unmarshal(v, &out) != nil {
		return nil
	}
	return out
}

// Member gives a required member; nil, with a complaint, where it is missing.
func (c *Check) Member(name string, from map[string]Value, key string) Value {
	v, found := from[key]
	c.Want(name+" required", found || from == nil)
	return v
}

// Text gives a string; ok is false where there is none to look at.
func (c *Check) Text(name string, v Value) (s string, ok bool) {
	if v == nil || !c.Want(name+" string", v.Kind() == '"') {
		return "", false
	}
	return s, json.Unmarshal(v, &s) == nil
}

// Number gives an exact number; ok is false where there is none to look at. An
// exponent that would fill the memory is refused.
func (c *Check) Number(name string, v Value) (n *big.Rat, ok bool) {
	if v == nil || !c.Want(name+" number", v.Kind() == '0') || v.Kind() != '0' {
		return nil, false
	}
	s := strings.ToLower(string(v))
	if i := strings.IndexByte(s, 'e'); len(s) > 400 || i >= 0 && len(s)-i > 5 {
		c.Want("size of a number", false)
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// Integer is a number without a fraction.
func (c *Check) Integer(name string, v Value) (*big.Rat, bool) {
	n, ok := c.Number(name, v)
	return n, ok && c.Want(name+" integer", n.IsInt())
}

// Boolean wants true or false.
func (c *Check) Boolean(name string, v Value) {
	c.Want(name+" boolean", v == nil || v.Kind() == 't' || v.Kind() == 'f')
}

// AtMost reports whether a number is at most so much; AtLeast is the other way round.
func AtMost(n *big.Rat, limit int64) bool  { return n.Cmp(big.NewRat(limit, 1)) <= 0 }
func AtLeast(n *big.Rat, limit int64) bool { return n.Cmp(big.NewRat(limit, 1)) >= 0 }

// Word reads a required text of 1 to 20 characters out of a body that is an object of
// no other members than the known.
func (c *Check) Word(v map[string]Value, name string) Value {
	s, ok := c.Text(name, c.Member(name, v, name))
	if n := len([]rune(s)); ok {
		c.Want(name+" length", n >= 1 && n <= 20)
	}
	return v[name]
}

// Words reads a body of words. The first is required, but those of a patch may all be missing.
func (c *Check) Words(r *http.Request, res string, patch bool, names ...string) map[string]any {
	v, out := c.Object(res, c.Body(r), true, names...), map[string]any{}
	for i, name := range names {
		if _, found := v[name]; found || i == 0 && !patch {
			out[name] = c.Word(v, name)
		}
	}
	return out
}

// TextOf is the text of a member that a check has read.
func TextOf(res map[string]any, name string) string {
	var text string
	_ = json.Unmarshal(res[name].(Value), &text) // it was read before
	return text
}
