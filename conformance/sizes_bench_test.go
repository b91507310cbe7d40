//go:build unix

package conformance

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// sized is a document of about n operations: things that are made, listed, read, replaced and
// deleted, each kind with a path of its own.
func sized(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"Sized","version":"1"},"components":{"schemas":{"Thing":{"type":"object","required":["name"],"properties":{"id":{"type":"string","readOnly":true},"name":{"type":"string","maxLength":60},"size":{"type":"integer","minimum":0,"maximum":900},"tags":{"type":"array","maxItems":8,"items":{"type":"string"}}}}}},"paths":{`)
	const res = `"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}}`
	for i := range n / 5 {
		if i > 0 {
			b.WriteByte(',')
		}
		refused, missing := `"400":{"description":"refused"}`, `"404":{"description":"missing"}`
		fmt.Fprintf(&b, `"/things%d":{"post":{"requestBody":{"required":true,%s},"responses":{"201":{"description":"made",%s},%s}},"get":{"parameters":[{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":50}}],"responses":{"200":{"description":"all","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Thing"}}}}},%s}}},`, i, res, res, refused, refused)
		fmt.Fprintf(&b, `"/things%d/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"get":{"responses":{"200":{"description":"one",%s},%s}},"put":{"requestBody":{"required":true,%s},"responses":{"200":{"description":"changed",%s},%s,%s}},"delete":{"responses":{"204":{"description":"gone"},%s}}}`, i, res, missing, res, res, refused, missing, missing)
	}
	b.WriteString("}}")
	return []byte(b.String())
}

// processorTime is the processor time of this process: others on the machine do not count.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSetUpBySize is what the set-up of an operation costs in documents of 10, 100 and
// 1,000 operations, beside that of the smallest one: about 1, unless something is done for
// each pair of operations.
func BenchmarkSetUpBySize(b *testing.B) {
	each := func(n int) time.Duration {
		document, start := sized(n), processorTime()
		if _, err := setUp(Config{Spec: document, SpecName: "sized.json", Effort: "smoke"}); err != nil {
			b.Fatal(err)
		}
		return (processorTime() - start) / time.Duration(n)
	}
	each(10)
	for b.Loop() {
		small := min(each(10), each(10), each(10))
		for _, n := range []int{100, 1000} {
			b.ReportMetric(float64(each(n))/float64(small), fmt.Sprintf("of-10-at-%d", n))
		}
	}
}

// shelves serves the document of sized, and keeps it.
type shelves struct {
	mu    sync.Mutex
	shape *schema.Shape
	ids   map[string][]string // by path of a collection
	kept  map[string]string   // by path of a thing
}

func (s *shelves) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, id, one := strings.Cut(r.URL.Path[1:], "/")
	body, complaint := "", false
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		body, complaint = s.read(r)
	}
	_, known := s.kept[list+"/"+id]
	switch {
	case complaint:
		w.WriteHeader(http.StatusBadRequest)
	case one && !known:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodPost:
		id = s.named(list)
		s.ids[list] = append(s.ids[list], id)
		s.keep(w, http.StatusCreated, list+"/"+id, id, body)
	case r.Method == http.MethodPut:
		s.keep(w, http.StatusOK, list+"/"+id, id, body)
	case r.Method == http.MethodDelete:
		delete(s.kept, list+"/"+id)
		s.ids[list] = slices.DeleteFunc(s.ids[list], func(x string) bool { return x == id })
		w.WriteHeader(http.StatusNoContent)
	case one:
		say(w, http.StatusOK, s.kept[list+"/"+id])
	default:
		s.list(w, r, list)
	}
}

// read returns the members of a body, each followed by a comma, and whether it is invalid.
func (s *shelves) read(r *http.Request) (members string, invalid bool) {
	b, err := io.ReadAll(r.Body)
	read := s.shape.Read(b)
	if err != nil || read.Root() == nil || len(read.Violations) > 0 || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return "", true
	}
	var out strings.Builder
	for _, m := range read.Root().Members {
		if _, err := strconv.Atoi(m.Value.Text); m.Name == "size" && err != nil {
			return "", true // the reading takes 1.0000000000000001 for an integer
		}
		if m.Name == "name" || m.Name == "size" || m.Name == "tags" {
			fmt.Fprintf(&out, "%q:%s,", m.Name, m.Value.Emit())
		}
	}
	return out.String(), false
}

// named returns an id that no case guesses.
func (s *shelves) named(list string) string {
	h := fnv.New128a()
	fmt.Fprint(h, list, len(s.kept), len(s.ids[list]), time.Now())
	return hex.EncodeToString(h.Sum(nil))
}

func (s *shelves) keep(w http.ResponseWriter, status int, path, id, members string) {
	s.kept[path] = fmt.Sprintf(`{%s"id":%q}`, members, id)
	say(w, status, s.kept[path])
}

func (s *shelves) list(w http.ResponseWriter, r *http.Request, list string) {
	limit := 50
	if q := r.URL.Query(); q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 || n > 50 || len(q["limit"]) > 1 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		limit = n
	}
	var all []string
	for _, id := range s.ids[list][:min(limit, len(s.ids[list]))] {
		all = append(all, s.kept[list+"/"+id])
	}
	say(w, http.StatusOK, "["+strings.Join(all, ",")+"]")
}

func say(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// failed names what fails, if a run gives no figure.
func failed(r *report.Report) []string {
	out := slices.Clone(r.Summary.Reasons)
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			out = append(out, x.Requirement)
		}
	}
	return out
}

// BenchmarkRunBySize is what a whole run at gate sends and costs for each operation of documents
// of 100 and 1,000, beside one of 10: below 1, because gate sends more to each operation of a
// document that has fewer than 30. The processor time includes that of the server. It takes
// several minutes.
func BenchmarkRunBySize(b *testing.B) {
	type cost struct {
		requests, processor float64
	}
	each := func(n int) cost {
		s, err := setUp(Config{Spec: sized(n), SpecName: "sized.json", Effort: "smoke"})
		if err != nil {
			b.Fatal(err)
		}
		server := httptest.NewServer(&shelves{shape: s.contract.Find("post-things0").Body.Shape, ids: map[string][]string{}, kept: map[string]string{}})
		defer server.Close()
		began, start := time.Now(), processorTime()
		r, err := Run(b.Context(), Config{Target: server.URL, Spec: sized(n), SpecName: "sized.json", Effort: "gate", MaxTime: time.Hour})
		if err != nil {
			b.Fatal(err)
		}
		if r.Summary.Verdict != report.Conformant {
			b.Fatalf("%d operations: %s: %v", n, r.Summary.Verdict, failed(r))
		}
		b.ReportMetric(time.Since(began).Seconds(), fmt.Sprintf("s-at-%d", n))
		return cost{float64(r.Summary.Exchanges) / float64(n), (processorTime() - start).Seconds() / float64(n)}
	}
	each(10)
	for b.Loop() {
		small := each(10)
		b.ReportMetric(small.requests, "requests/operation-at-10")
		for _, n := range []int{100, 1000} {
			c := each(n)
			b.ReportMetric(c.requests/small.requests, fmt.Sprintf("requests-of-10-at-%d", n))
			b.ReportMetric(c.processor/small.processor, fmt.Sprintf("processor-of-10-at-%d", n))
		}
	}
}
