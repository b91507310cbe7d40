package otherservers

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
)

// keeper stores the things of a small service under numbers from 1.
type keeper struct {
	// before is added to each number; see far.
	before int
	mu     sync.Mutex
	things []map[string]any
}

// far returns a keeper with ids that no case guesses: which thing a guess finds would depend on
// the order of the cases.
func far() keeper { return keeper{before: 4_718_281} }

// add stores a thing and gives it its id.
func (k *keeper) add(thing map[string]any) map[string]any {
	thing["id"] = k.before + len(k.things) + 1
	k.things = append(k.things, thing)
	return thing
}

// find returns the thing with the id that a text spells, or nil.
func (k *keeper) find(id string) map[string]any {
	n, err := strconv.Atoi(id)
	if err != nil || n <= k.before || n > k.before+len(k.things) || strconv.Itoa(n) != id {
		return nil
	}
	return k.things[n-k.before-1]
}

// read serves the operation that reads the thing which {id} names.
func (k *keeper) read(_ *check, r *http.Request) (int, any) {
	if found := k.find(r.PathValue("id")); found != nil {
		return 200, found
	}
	return 404, nil
}

// textOf is the text of a member that a check has read.
func textOf(thing map[string]any, name string) string {
	var text string
	_ = json.Unmarshal(thing[name].(value), &text) // it was read before
	return text
}

// handle serves one operation. It answers with a status and a body; without a body,
// the complaint of the check is the reason for a refusal.
func (k *keeper) handle(mux *http.ServeMux, wrong, pattern string, serve func(c *check, r *http.Request) (int, any)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		defer k.mu.Unlock()
		c := &check{wrong: wrong}
		status, body := serve(c, r)
		switch {
		case c.complaint != "":
			answer(w, max(status, http.StatusBadRequest), map[string]string{"why": c.complaint})
		case status/100 != 2:
			answer(w, status, map[string]string{"why": http.StatusText(status)})
		case body == nil:
			w.WriteHeader(status)
		default:
			answer(w, status, body)
		}
	})
}

// word reads a required text of 1 to 20 characters out of a body that is an object of
// no other members than the known.
func (c *check) word(v map[string]value, name string) value {
	s, ok := c.text(name, c.member(name, v, name))
	if n := len([]rune(s)); ok {
		c.want(name+" length", n >= 1 && n <= 20)
	}
	return v[name]
}

// words reads a body of words. The first is required, but those of a patch may all be missing.
func (c *check) words(r *http.Request, thing string, patch bool, names ...string) map[string]any {
	v, out := c.object(thing, c.body(r), true, names...), map[string]any{}
	for i, name := range names {
		if _, found := v[name]; found || i == 0 && !patch {
			out[name] = c.word(v, name)
		}
	}
	return out
}
