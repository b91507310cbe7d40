package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// zettel is a small service of notes. A PATCH drops the members that it does not name.
type zettel struct {
	mu    sync.Mutex
	next  int
	notes map[int]map[string]any
}

// zettels starts the service, writes its document zettel.yaml and sets URL.
func zettels(ts *testscript.TestScript, _ bool, _ []string) {
	s := httptest.NewServer(&zettel{notes: map[int]map[string]any{}})
	ts.Defer(s.Close)
	ts.Setenv("URL", s.URL)
	document, err := os.ReadFile("testdata/zettel.yaml")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("zettel.yaml"), document, 0o600))
}

func (z *zettel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	z.mu.Lock()
	defer z.mu.Unlock()
	answer := func(status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	body := map[string]any{}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch {
		wrong := json.NewDecoder(r.Body).Decode(&body) != nil || len(body) == 0
		for name, v := range body {
			text, ok := v.(string)
			wrong = wrong || !ok || text == "" || utf8.RuneCountInString(text) > 20 || name != "titel" && name != "text"
		}
		if wrong {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	id, _ := strconv.Atoi(r.URL.Path[len("/zettel"):][min(1, len(r.URL.Path)-len("/zettel")):])
	_, found := z.notes[id]
	switch {
	case r.URL.Path == "/zettel" && r.Method == http.MethodPost:
		z.next++
		body["id"] = z.next
		z.notes[z.next] = body
		answer(http.StatusCreated, body)
	case r.URL.Path == "/zettel":
		all := []map[string]any{}
		for _, id := range slices.Sorted(maps.Keys(z.notes)) {
			all = append(all, z.notes[id])
		}
		limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "100"))
		if err != nil || limit < 1 || limit > 100 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer(http.StatusOK, all[:min(limit, len(all))])
	case !found:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(z.notes, id)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPatch:
		body["id"] = id
		z.notes[id] = body
		answer(http.StatusOK, body)
	default:
		answer(http.StatusOK, z.notes[id])
	}
}
