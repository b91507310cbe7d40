package report

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
