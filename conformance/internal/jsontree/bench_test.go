package jsontree

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkParse builds the tree and prints its cost as a multiple of what
// jsontext takes merely to check the same text, both measured in one run.
func BenchmarkParse(b *testing.B) {
	small := []byte(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":"indoor"}`)
	large := []byte("[" + strings.Repeat(string(small)+",", 2000) + string(small) + "]")
	for name, text := range map[string][]byte{"plant": small, "list": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
			ours := float64(b.Elapsed()) / float64(b.N)
			b.StopTimer()
			d := jsontext.NewDecoder(bytes.NewReader(nil))
			start := time.Now()
			for range b.N {
				d.Reset(bytes.NewReader(text))
				if err := d.SkipValue(); err != nil && err != io.EOF {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ours/(float64(time.Since(start))/float64(b.N)), "x-jsontext")
		})
	}
}
