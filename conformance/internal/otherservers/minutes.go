package otherservers

import (
	"net/http"
	"time"
)

// Minutes serves minutes.yaml: minutes are made, read and replaced, by their entity tag or the
// time of their last change if the request says so. What is named wrong, if anything, is done wrong, or
// right in an unusual way.
func Minutes(wrong string) http.Handler {
	var minutes keeper
	changed, tags := map[any]time.Time{}, newTags(wrong)
	mux := http.NewServeMux()
	text := func(c *check, r *http.Request) value {
		return c.word(c.object("minutes", c.body(r), true, "text"), "text")
	}
	minutes.handle(mux, wrong, "POST /minutes", func(c *check, r *http.Request) (int, any) {
		given := text(c, r)
		if c.complaint != "" {
			return 400, nil
		}
		made := minutes.add(map[string]any{"text": given})
		changed[made["id"]] = time.Now()
		return 201, made
	})
	mux.HandleFunc("GET /minutes/{minutesId}", func(w http.ResponseWriter, r *http.Request) {
		minutes.mu.Lock()
		defer minutes.mu.Unlock()
		found := minutes.find(r.PathValue("minutesId"))
		if found == nil {
			answer(w, http.StatusNotFound, map[string]string{"why": "unknown"})
			return
		}
		last, tag := changed[found["id"]], tags.of(found)
		if tag != "" {
			w.Header().Set("ETag", tag)
		}
		since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
		w.Header().Set("Last-Modified", last.UTC().Format(http.TimeFormat))
		switch given := r.Header.Get("If-None-Match"); {
		case given != "" && tag != "":
			if tags.same(given, tag) {
				if wrong == "304 has no tag" {
					w.Header().Del("ETag")
				}
				w.WriteHeader(http.StatusNotModified)
				return
			}
		case err != nil, wrong == "since is ignored":
		case wrong == "within a second it may change" && time.Since(last) < time.Second:
		case wrong == "since is enough" || !last.Truncate(time.Second).After(since):
			w.WriteHeader(http.StatusNotModified)
			return
		}
		answer(w, http.StatusOK, found)
	})
	minutes.handle(mux, wrong, "PUT /minutes/{minutesId}", func(c *check, r *http.Request) (int, any) {
		found, given := minutes.find(r.PathValue("minutesId")), text(c, r)
		if found == nil {
			return 404, nil
		}
		since, err := http.ParseTime(r.Header.Get("If-Unmodified-Since"))
		switch match := r.Header.Get("If-Match"); {
		case c.complaint != "":
			return 400, nil
		case match != "" && !tags.matches(match, tags.of(found)):
			if wrong == "refused is stored" {
				found["text"] = given
			}
			return 412, nil
		case err == nil && changed[found["id"]].Truncate(time.Second).After(since) && wrong != "unmodified is ignored":
			return 412, nil
		}
		found["text"], changed[found["id"]] = given, time.Now()
		tags.versions[found["id"]]++
		return 200, found
	})
	return mux
}
