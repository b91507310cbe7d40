//go:build unix

package conformance

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
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
