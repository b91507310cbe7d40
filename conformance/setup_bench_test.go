package conformance

import "testing"

// BenchmarkSetUp is what passes before the first request: reading document and
// overlay, and making the plan.
func BenchmarkSetUp(b *testing.B) {
	for b.Loop() {
		if _, err := setUp(Config{Token: "a-token-of-this-test"}); err != nil {
			b.Fatal(err)
		}
	}
}
