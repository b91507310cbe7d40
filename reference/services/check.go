// Package services holds small servers of the documents in testdata/openapi and in
// its own testdata, for tests of the suite: right ones, and the same with one thing
// wrong. Each document of its own testdata needs another way of reaching. The servers
// check by hand and share nothing with the suite, so that one mistake cannot hide in
// both.
package services

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// check reads one request. What is named wrong is done wrong: a check of that
// name is left out. The first check that fails is the complaint.
type check struct {
	wrong     string
	complaint string
}

// want notes a complaint where ok is false, and reports whether to go on as if
// the value were right.
func (c *check) want(name string, ok bool) bool {
	if ok || name == c.wrong {
		return true
	}
	if c.complaint == "" {
		c.complaint = name
	}
	return false
}

// strict refuses what is right, where that is what is done wrong.
func (c *check) strict(name string, refused bool) {
	if refused && name == c.wrong && c.complaint == "" {
		c.complaint = name
	}
}

// value is a raw JSON value; nil is none.
type value = jsontext.Value

// body reads one JSON text: strict grammar, unique names, UTF-8.
func (c *check) body(r *http.Request) value {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	v := value(b)
	if !c.want("body json", err == nil && v.IsValid()) {
		return nil
	}
	return v
}

// object gives the members of an object that has no others than the known.
func (c *check) object(name string, v value, closed bool, known ...string) map[string]value {
	var out map[string]value
	if !c.want(name+" object", v.Kind() == '{') || json.Unmarshal(v, &out) != nil {
		return nil
	}
	for member := range out {
		if closed && !strings.Contains(" "+strings.Join(known, " ")+" ", " "+member+" ") {
			c.want(name+" closed", false)
		}
	}
	return out
}

// array gives the items of an array.
func (c *check) array(name string, v value) []value {
	var out []value
	if !c.want(name+" array", v.Kind() == '[') || json.Unmarshal(v, &out) != nil {
		return nil
	}
	return out
}

// member gives a required member; nil, with a complaint, where it is missing.
func (c *check) member(name string, from map[string]value, key string) value {
	v, found := from[key]
	c.want(name+" required", found || from == nil)
	return v
}

// text gives a string; ok is false where there is none to look at.
func (c *check) text(name string, v value) (s string, ok bool) {
	if v == nil || !c.want(name+" string", v.Kind() == '"') {
		return "", false
	}
	return s, json.Unmarshal(v, &s) == nil
}

// number gives an exact number; ok is false where there is none to look at. An
// exponent that would fill the memory is refused.
func (c *check) number(name string, v value) (n *big.Rat, ok bool) {
	if v == nil || !c.want(name+" number", v.Kind() == '0') || v.Kind() != '0' {
		return nil, false
	}
	s := strings.ToLower(string(v))
	if i := strings.IndexByte(s, 'e'); len(s) > 400 || i >= 0 && len(s)-i > 5 {
		c.want("size of a number", false)
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// integer is a number without a fraction.
func (c *check) integer(name string, v value) (*big.Rat, bool) {
	n, ok := c.number(name, v)
	return n, ok && c.want(name+" integer", n.IsInt())
}

// boolean wants true or false.
func (c *check) boolean(name string, v value) {
	c.want(name+" boolean", v == nil || v.Kind() == 't' || v.Kind() == 'f')
}

// maximum reports whether a number is at most so much; minimum is the other way round.
func maximum(n *big.Rat, limit int64) bool { return n.Cmp(big.NewRat(limit, 1)) <= 0 }
func minimum(n *big.Rat, limit int64) bool { return n.Cmp(big.NewRat(limit, 1)) >= 0 }

// answer writes JSON.
func answer(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // who does not listen any more needs no answer
}

// Stateful is a service that shows what it stores, so that a test can compare it.
type Stateful interface {
	http.Handler
	// State lists the things that a user would miss, each as a line. No request may be under way.
	State() []string
}

// keeping is a service and the lists that it stores.
type keeping struct {
	http.Handler
	lists []func() []map[string]any
}

func storing(h http.Handler, lists ...func() []map[string]any) http.Handler { return keeping{h, lists} }

func (k keeping) State() []string {
	var out []string
	for i, list := range k.lists {
		for _, res := range list() {
			b, _ := json.Marshal(res, json.Deterministic(true)) // it was an answer before
			out = append(out, fmt.Sprintf("%d %s", i, b))
		}
	}
	slices.Sort(out)
	return out
}

// under lists the things of a map.
func under[K comparable](resources map[K]map[string]any) func() []map[string]any {
	return func() []map[string]any { return slices.Collect(maps.Values(resources)) }
}

// shown lists copies of the things that are there. The function, if any, adds what is kept beside
// a thing, and reports whether it is there.
func (k *keeper) shown(there func(of map[string]any) bool) func() []map[string]any {
	return func() []map[string]any {
		var out []map[string]any
		for _, res := range k.resources {
			of := maps.Clone(res)
			if of != nil && (there == nil || there(of)) {
				out = append(out, of)
			}
		}
		return out
	}
}
