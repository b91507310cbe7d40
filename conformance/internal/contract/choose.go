package contract

import (
	"slices"
	"strings"
)

// Choose chooses the alternative of each operation that requests use: the first for
// which all credentials are given by name, else the first for which all are given,
// else none at all where the document allows that. An operation without any of these
// is left out; hint says what a scheme needs.
func (c *Contract) Choose(given func(*Scheme) (given, shared bool), hint func(*Scheme) string) error {
	c.Operations = slices.DeleteFunc(c.Operations, func(op *Operation) bool {
		for _, alt := range op.Security {
			for _, s := range alt {
				s.Given, s.Shared = given(s)
			}
		}
		if op.choose() {
			for _, further := range op.Further {
				further.Chosen = op.Chosen
			}
			c.untried(op, hint)
			return false
		}
		c.Omit(op.Method+" "+op.Path, "", lacks(op.Security[0], hint))
		return true
	})
	return c.Empty()
}

// ChooseOther notes for which schemes the user gave the credential of another principal.
func (c *Contract) ChooseOther(given func(*Scheme) bool) {
	for _, op := range c.Operations {
		for _, alt := range op.Security {
			for _, s := range alt {
				s.Other = s.Given && !s.OnConnection() && given(s)
			}
		}
	}
}

// choose chooses an alternative and reports whether there is one.
func (o *Operation) choose() bool {
	if o.Security == nil {
		return true
	}
	for _, fits := range []func([]*Scheme) bool{
		func(alt []*Scheme) bool { return len(alt) > 0 && sure(alt) },
		func(alt []*Scheme) bool { return len(alt) > 0 },
		func(alt []*Scheme) bool { return len(alt) == 0 },
	} {
		for i, alt := range o.Security {
			if fits(alt) && Given(alt) {
				o.Chosen = i
				return true
			}
		}
	}
	return false
}

// untried names the alternatives that are never sent, and what a client certificate
// hides.
func (c *Contract) untried(op *Operation, hint func(*Scheme) string) {
	say := func(what string) { c.LeftOut = append(c.LeftOut, shown(op.Method+" "+op.Path)+": "+what) }
	for i, alt := range op.Security {
		if !op.Tried(i) {
			say("one security alternative is never sent: " + lacks(alt, hint))
		}
		for _, s := range alt {
			if s.OnConnection() && s.Given {
				say("security scheme " + s.Name + ": requests without the client certificate are never sent, because every connection has it")
			}
		}
	}
}

// lacks says which credentials an alternative needs.
func lacks(alt []*Scheme, hint func(*Scheme) string) string {
	var out []string
	for _, s := range alt {
		if !s.Given || s.Shared {
			out = append(out, "security scheme "+s.Name+" "+hint(s))
		}
	}
	return strings.Join(out, ", and ")
}
