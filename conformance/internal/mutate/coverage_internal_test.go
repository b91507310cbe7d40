package mutate

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// Check refuses a catalogue whose words the plan does not bear out.
func (p *Probe) Check() error {
	k := p.Keyword
	for _, s := range []struct {
		side  Side
		name  string
		words Words
	}{{Valid, "valid", k.Valid}, {Invalid, "invalid", k.Invalid}} {
		side, name, words := s.side, s.name, s.words
		switch n := len(p.cases[side]); {
		case n == 0 && words.What != "":
			return fmt.Errorf("%s in %s has words and no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n == 0 && k.Why == "":
			return fmt.Errorf("%s in %s has no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n > 0 && (words.What == "" || len(words.Kinds) == 0):
			return fmt.Errorf("%s in %s has %d cases and no words on the %s side: say what is planned", k.Name, p.Dialect, n, name)
		}
		for _, kind := range words.Kinds {
			if p.kinds(side)[kind] == 0 {
				return fmt.Errorf("%s in %s: no class %s on the %s side: the words are out of date", k.Name, p.Dialect, kind, name)
			}
		}
	}
	if len(p.cases[Valid]) > 0 && len(p.cases[Invalid]) > 0 && k.Why != "" {
		return fmt.Errorf("%s in %s has both sides and a reason why not: drop the reason", k.Name, p.Dialect)
	}
	return nil
}

// kinds counts the cases of a side by the kind of their class.
func (p *Probe) kinds(side Side) map[string]int {
	out := map[string]int{}
	for _, c := range p.cases[side] {
		out[c.Class.Kind]++
	}
	return out
}

// Cases gives the cases of a side, in the order of the plan.
func (p *Probe) Cases(side Side) []*plan.Case { return p.cases[side] }

// Draw gives the body of a case with the chance and the fresh values of another
// draw; the nth of the same case is the same bytes each time.
func (p *Probe) Draw(c *plan.Case, n int) []byte {
	again := *c
	again.Seed += uint64(n)
	return p.body(&again, plan.Identity{Seed: seed + uint64(n)})
}

// Baseline is the body that every case begins with.
func (p *Probe) Baseline() []byte {
	return p.plan.Preflight(p.op, plan.Identity{Seed: seed}, 0).Baseline().Body()
}

// Kind gives what the exact judge calls the bytes.
func (p *Probe) Kind(body []byte) schema.Kind { return p.with.Read(body).Kind }
