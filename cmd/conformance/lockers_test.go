package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"plantstore/cmd/internal/proof"
)

// lockers keeps lockers of two principals apart. In open ones, each reads those of the
// other.
func lockers(open bool) func(*proof.Server) http.HandlerFunc {
	return func(*proof.Server) http.HandlerFunc {
		var mu sync.Mutex
		owners, labels := map[string]string{}, map[string]string{}
		mux := http.NewServeMux()
		handle := func(pattern string, serve func(w http.ResponseWriter, r *http.Request, key string)) {
			mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				id, key := r.PathValue("id"), r.Header.Get("X-Locker-Key")
				switch {
				case key != "locker-key-3c6ef372" && key != "locker-key-a54ff53a":
					w.WriteHeader(http.StatusUnauthorized)
				case id != "" && owners[id] == "":
					w.WriteHeader(http.StatusNotFound)
				case id != "" && owners[id] != key && (!open || r.Method != http.MethodGet):
					w.WriteHeader(http.StatusForbidden)
				default:
					w.Header().Set("Content-Type", "application/json")
					serve(w, r, key)
				}
			})
		}
		show := func(w http.ResponseWriter, id string) {
			_ = json.NewEncoder(w).Encode(map[string]string{"id": id, "label": labels[id]})
		}
		handle("POST /lockers", func(w http.ResponseWriter, r *http.Request, key string) {
			var body struct{ Label string }
			_ = json.NewDecoder(r.Body).Decode(&body)
			id := strconv.Itoa(len(owners) + 1)
			owners[id], labels[id] = key, body.Label
			w.WriteHeader(http.StatusCreated)
			show(w, id)
		})
		handle("GET /lockers/{id}", func(w http.ResponseWriter, r *http.Request, _ string) { show(w, r.PathValue("id")) })
		handle("DELETE /lockers/{id}", func(w http.ResponseWriter, r *http.Request, _ string) {
			owners[r.PathValue("id")] = ""
			w.WriteHeader(http.StatusNoContent)
		})
		return mux.ServeHTTP
	}
}
