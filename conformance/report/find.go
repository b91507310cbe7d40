package report

import (
	"bytes"
	"slices"
)

// Failure returns failure number n, and reports whether there is one.
func (r *Report) Failure(n int) (Failure, bool) {
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if f.N == n {
				return f, true
			}
		}
	}
	return Failure{}, false
}

// HasCredential reports whether a request of a failure has a credential. A variable of the
// shell stands for it.
func (r *Report) HasCredential() bool {
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if slices.ContainsFunc(f.Steps, func(s Step) bool { return bytes.Contains(s.Request.Data, []byte("$CONFORMANCE_")) }) {
				return true
			}
		}
	}
	return false
}
