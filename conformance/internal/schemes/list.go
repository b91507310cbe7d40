// Package schemes is the catalogue of security schemes: how each is sent, got
// wrong, and recognised in the bytes of a request. A file per scheme, one list.
package schemes

import "plantstore/conformance/internal/plan"

// List gives every scheme.
func List() []plan.Scheme {
	return []plan.Scheme{bearer, basic, apiKey}
}
