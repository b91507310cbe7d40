package message

import (
	"fmt"
	"slices"
	"sync"

	"plantstore/conformance/internal/openapi"
)

// Auth is how the requests of an operation authenticate. A nil *Auth sends nothing.
type Auth struct {
	op           *openapi.Operation
	alternatives []alternative // as in the document
	keys         []part        // the schemes of all alternatives, each once
	once         sync.Once
	attempts     []Attempt
}

// alternative is what a request has to satisfy together.
type alternative struct {
	parts []part
	given bool
}

// part is a scheme of the document and the entry that serves it.
type part struct {
	*Scheme
	of *openapi.Scheme
}

// NewAuth finds the entries that serve the schemes of an operation. It returns nil
// for an operation without security.
func NewAuth(list []Scheme, op *openapi.Operation) (*Auth, error) {
	if op.Security == nil {
		return nil, nil
	}
	a := &Auth{op: op}
	for i, alt := range op.Security {
		one := alternative{given: op.Tried(i)}
		for _, s := range alt {
			p := part{FindScheme(list, s), s}
			if p.Scheme == nil {
				return nil, fmt.Errorf("%s: no scheme of the catalogue can send %s", op.Slug, s.Name)
			}
			one.parts = append(one.parts, p)
			if !slices.ContainsFunc(a.keys, func(k part) bool { return k.of.Name == s.Name }) {
				a.keys = append(a.keys, p)
			}
		}
		a.alternatives = append(a.alternatives, one)
	}
	return a, nil
}

// Required reports whether a request without a valid credential has to be refused,
// and can be sent.
func (a *Auth) Required() bool { return a != nil && a.op.Secured() }

// Valid returns the credentials of the chosen alternative.
func (a *Auth) Valid() []Presented { return a.alternatives[a.op.Chosen].valid(nil) }

// valid presents all parts but one.
func (alt alternative) valid(but *openapi.Scheme) []Presented {
	out := []Presented{}
	for _, p := range alt.parts {
		if p.of != but {
			out = append(out, p.present(p.Scheme.Valid(p.of))...)
		}
	}
	return out
}

// present says whose credentials these are.
func (p part) present(list []Presented) []Presented {
	out := slices.Clone(list)
	for i := range out {
		out[i].Scheme = p.of.Name
	}
	return out
}

// Others returns the other alternatives that are tried as right, by their labels, in
// the order of the document.
func (a *Auth) Others() []Attempt {
	if a == nil || a.op.Header != "" {
		return nil
	}
	var out []Attempt
	for i, alt := range a.alternatives {
		if i != a.op.Chosen && alt.given {
			out = append(out, Attempt{Name: openapi.Label(a.op.Security[i]), Presented: alt.valid(nil)})
		}
	}
	return out
}

// Attempts returns the credentials to try, in a fixed order: for each scheme those
// of its entry, with the other schemes of its alternative right, and without any
// credential of another alternative.
func (a *Auth) Attempts() []Attempt {
	a.once.Do(func() { a.attempts = a.tries() })
	return a.attempts
}

func (a *Auth) tries() []Attempt {
	var out []Attempt
	done := map[string]bool{} // schemes
	order := []int{a.op.Chosen}
	for i := range a.alternatives {
		if i != a.op.Chosen && a.alternatives[i].given {
			order = append(order, i)
		}
	}
	several := len(a.op.Schemes()) > 1
	absent := false // a request without any credential is one attempt
	for _, i := range order {
		alt := a.alternatives[i]
		for _, p := range alt.parts {
			if done[p.of.Name] {
				continue
			}
			done[p.of.Name] = true
			beside := alt.valid(p.of)
			for _, t := range p.Scheme.Attempts(p.of) {
				t.Presented, t.Beside, t.Scheme = p.present(t.Presented), beside, p.of.Name
				nothing := len(t.Presented)+len(beside) == 0
				if nothing && absent || several && !a.constant(t) {
					continue
				}
				absent = absent || nothing
				if several && !nothing {
					t.Prefix = p.of.Slug + "-"
				}
				out = append(out, t)
			}
			if several && len(beside) > 0 && !absent {
				absent = true
				out = append(out, Attempt{Name: "absent", Presented: []Presented{}})
			}
		}
	}
	return out
}

// constant reports whether an attempt is of the same kind whether the schemes have
// one credential or each its own. One that is not, such as the token of a scheme in
// the place of another, is not tried.
func (a *Auth) constant(t Attempt) bool {
	const sample = "aB3dE5:fG7hJ9kM1nP"
	one := func(string) string { return sample }
	each := func(scheme string) string {
		return fmt.Sprintf("%s:q%dX", sample, slices.IndexFunc(a.keys, func(p part) bool { return p.of.Name == scheme }))
	}
	x := a.classify(Carry(t.All(), one), func(scheme string) []string { return []string{one(scheme)} })
	y := a.classify(Carry(t.All(), each), func(scheme string) []string { return []string{each(scheme)} })
	return x.Credential == y.Credential && slices.Equal(x.Faults, y.Faults)
}
