package report

// Failure gives the failure numbered n; false where there is none.
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
