package plan

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Baseline returns the simplest valid request with fresh values: required members
// only, small numbers, short ASCII words.
func (g *Gen) Baseline() *message.Message {
	m := &message.Message{Op: g.Op, Unguessed: !g.guesses()}
	g.base = 0
	if g.Op.Params != nil {
		m.Params = g.within(g.Op.Params, "", g.Op.Params.Schema)
	}
	if g.Op.Body != nil {
		m.Tree = g.within(g.Op.Body.Shape, "", g.Op.Body.Shape.Schema)
	}
	g.give(m)
	g.fillForm(m)
	g.order(m)
	apart(m)
	m.Bind()
	return m
}

// BaselineAt returns the simplest value of a schema at a place of the request, with
// the values that the user named for it or for places below it. The path of a place
// in the body is a JSON pointer, that of a parameter begins with its section.
func (g *Gen) BaselineAt(path string, s *schema.Schema) *jsontree.Value {
	if path != "" && path[0] != '/' {
		return g.within(g.Op.Params, "/"+path, s)
	}
	return g.within(g.Op.Body.Shape, path, s)
}

// within returns the simplest value of a schema at a place of a shape.
func (g *Gen) within(shape *schema.Shape, path string, s *schema.Schema) *jsontree.Value {
	g.shape = shape
	g.turn = -1
	v := g.BaselineValue(s)
	g.modest(shape, path, s, v)
	var below []string
	for at, d := range shape.Domains {
		if rest, found := strings.CutPrefix(at, path); found && d.Value != nil && (rest == "" || rest[0] == '/') {
			below = append(below, rest)
		}
	}
	slices.Sort(below)
	for _, rest := range below {
		v = named(v, rest, shape.Domains[path+rest].Value)
	}
	return v
}

// named sets a value at every place that a path matches.
func named(v *jsontree.Value, path string, value *jsontree.Value) *jsontree.Value {
	if path == "" {
		return value.Clone()
	}
	name, rest, _ := strings.Cut(path[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	for i := range v.Items {
		if name == "*" {
			v.Items[i] = named(v.Items[i], rest, value)
		}
	}
	if plain, ok := jsontree.UnescapePointer(name); ok {
		if old := v.Get(plain); old != nil {
			v.Set(plain, named(old, rest, value))
		}
	}
	return v
}

const baselineDepth = 12

// BaselineValue returns the simplest value of a schema.
func (g *Gen) BaselineValue(s *schema.Schema) *jsontree.Value {
	g.made, g.steps, g.Over = 0, 0, ""
	g.turn++
	return g.baseline(s, 0)
}

// baseline returns the simplest value, and another one where the exact judge does not take
// that because of a keyword that says only what a value is not, or what else it is.
func (g *Gen) baseline(s *schema.Schema, depth int) *jsontree.Value {
	v := g.simplest(s, depth)
	if s == nil || depth > baselineDepth || !narrowed(s, v) || g.Over != "" || g.judge() == nil || g.judge().Matches(s, v) {
		return v
	}
	for _, other := range g.others(s, v, depth) {
		if !g.spend(4) {
			break
		}
		if g.judge().Matches(s, other) {
			return other
		}
	}
	return v
}

func (g *Gen) simplest(s *schema.Schema, depth int) *jsontree.Value {
	switch {
	case !g.spend(4):
		return jsontree.NewNull()
	case s == nil || depth > baselineDepth:
		return jsontree.NewString(g.Word())
	case s.Const != nil:
		return g.copied(s.Const)
	case len(s.Enum) > 0:
		return g.copied(g.choice(s))
	case len(s.OneOf) > 0 && len(s.Properties) == 0:
		return g.baseline(s.OneOf[0], depth+1)
	case len(s.AnyOf) > 0 && len(s.Properties) == 0:
		return g.baseline(s.AnyOf[0], depth+1)
	}
	switch s.Type() {
	case "object":
		return g.baselineObject(s, depth)
	case "array":
		return g.baselineArray(s, depth)
	case "integer", "number":
		return jsontree.NewNumber(g.BaselineNumber(s))
	case "boolean":
		return jsontree.NewBool(s.Default == nil || !s.Default.Bool)
	case "null":
		return jsontree.NewNull()
	}
	return jsontree.NewString(g.BaselineText(s))
}

// copied returns a copy of a value of the document, if it is not too large.
func (g *Gen) copied(v *jsontree.Value) *jsontree.Value {
	if !g.spend(v.Size()) {
		return jsontree.NewNull()
	}
	return v.Clone()
}

func (g *Gen) baselineObject(s *schema.Schema, depth int) *jsontree.Value {
	v := jsontree.NewObject()
	branch := g.firstAlternative(s, v, depth)
	add := func(p *schema.Property) {
		if v.Get(p.Name) != nil || !g.spend(len(p.Name)+4) {
			return
		}
		of := p.Schema
		if branch != nil && branch.Property(p.Name) != nil {
			of = branch.Property(p.Name).Schema // the schema of the branch is narrower
		}
		if t, ok := g.once(p.Name, of); ok {
			v.Members = append(v.Members, jsontree.M(p.Name, jsontree.NewString(t)))
			return
		}
		v.Members = append(v.Members, jsontree.M(p.Name, g.baseline(of, depth+1)))
	}
	for _, p := range s.Properties {
		if p.Required {
			add(p)
		}
	}
	for _, p := range s.Properties {
		if s.MinProps != nil && len(v.Members) < *s.MinProps && !p.Schema.Never && !p.Schema.ReadOnly {
			add(p)
		}
	}
	if s.MinProps != nil {
		g.addAdditional(s, v, depth)
	}
	g.complete(s, v, depth)
	g.inOrder(s, v, free)
	return v
}

// firstAlternative adds the members of the first alternative of a schema and
// returns that alternative, or nil if there is none.
func (g *Gen) firstAlternative(s *schema.Schema, v *jsontree.Value, depth int) *schema.Schema {
	var branch *schema.Schema
	for _, alternatives := range [][]*schema.Schema{s.OneOf, s.AnyOf} {
		if len(alternatives) == 0 {
			continue
		}
		branch = alternatives[0]
		one := g.baseline(branch, depth+1)
		if one.Kind != jsontree.Object {
			continue
		}
		for _, m := range one.Members {
			if p := s.Property(m.Name); p != nil && silent(branch.Property(m.Name)) {
				m.Value = g.baseline(p.Schema, depth+1) // the branch only requires it
			}
			v.Members = append(v.Members, m)
		}
	}
	return branch
}

func (g *Gen) baselineArray(s *schema.Schema, depth int) *jsontree.Value {
	n := 1
	if s.MinItems != nil {
		n = max(n, *s.MinItems)
	}
	if s.MaxItems != nil {
		n = min(n, *s.MaxItems)
	}
	n = max(n, len(s.Prefix)+s.MinContained())
	v := jsontree.NewArray()
	if n > maxItems {
		g.exceed(fmt.Sprintf("an array of at least %d items", n))
	}
	turn := g.turn
	defer func() { g.turn = turn }()
	for i := range n {
		if g.Over != "" {
			break
		}
		g.turn = turn + int64(i)
		item := s.Item(i)
		if s.Unique && item != nil && i < len(item.Enum) {
			v.Items = append(v.Items, item.Enum[i].Clone())
			continue
		}
		v.Items = append(v.Items, g.baseline(item, depth+1))
	}
	return v
}

// BaselineNumber returns a fresh number within the bounds of the schema.
func (g *Gen) BaselineNumber(s *schema.Schema) string {
	low, high, step := Bounds(s)
	if low.Sign() < 0 && high.Cmp(step) > 0 {
		low = step // a negative number is a value of its own, and no plain one
	}
	if maximum := big.NewInt(openapi.UsualPage); g.Op.Listing.Bounds(s) && low.Cmp(maximum) < 0 && high.Cmp(maximum) > 0 {
		high = maximum
	}
	n := big.NewInt(g.number())
	span := new(big.Int).Sub(high, low)
	span.Div(span, step).Add(span, big.NewInt(1))
	if span.Sign() <= 0 {
		if s.Minimum != "" {
			return s.Minimum
		}
		return "1"
	}
	if span.IsInt64() && span.Int64() < window {
		// If there are few values, consecutive ones differ for as long as possible.
		return n.Mod(n, span).Mul(n, step).Add(n, low).String()
	}
	n.SetInt64(g.hidden(n.Int64()))
	n.Mod(n, span).Mul(n, step).Add(n, low)
	return n.String()
}

// Bounds returns the smallest and largest whole number of a baseline value, and the
// distance between neighbours.
func Bounds(s *schema.Schema) (low, high, step *big.Int) {
	low, high, step = big.NewInt(1), big.NewInt(1<<31-1), big.NewInt(1)
	if s.Multiple != "" {
		if r, ok := jsontree.Rat(s.Multiple); ok && r.IsInt() && r.Sign() > 0 {
			step.Set(r.Num())
		}
	}
	if b := whole(s.Minimum, 0, true); b != nil {
		low = b
	} else if b := whole(s.Above, 1, true); b != nil {
		low = b
	}
	if b := whole(s.Maximum, 0, false); b != nil && b.Cmp(high) < 0 {
		high = b
	} else if b := whole(s.Below, -1, false); b != nil && b.Cmp(high) < 0 {
		high = b
	}
	if _, maximum, ranged := schema.FormatRange(s.Format); ranged {
		if b := whole(maximum, 0, false); b.Cmp(high) < 0 {
			high = b
		}
	}
	if low.Cmp(high) > 0 && s.Minimum == "" && s.Above == "" {
		low = new(big.Int).Sub(high, big.NewInt(1<<31-2))
	}
	// Round the lower bound up to a multiple.
	if m := new(big.Int).Mod(low, step); m.Sign() != 0 {
		low = new(big.Int).Add(low, new(big.Int).Sub(step, m))
	}
	return low, high, step
}

// whole returns the first whole number inside a bound. If the bound itself is
// whole, beyond is added.
func whole(text string, beyond int64, up bool) *big.Int {
	if text == "" {
		return nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil { // nearly every bound
		return new(big.Int).Add(big.NewInt(n), big.NewInt(beyond))
	}
	r, ok := jsontree.Rat(text)
	if !ok {
		return nil
	}
	if r.IsInt() {
		return new(big.Int).Add(r.Num(), big.NewInt(beyond))
	}
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if up && m.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// neighbourDistance keeps neighbours away from the values that other cases try,
// which are close together. Below smallNumber there is not enough space for it.
const (
	neighbourDistance = 1 << 16
	smallNumber       = 1 << 20
)

// Int returns a number that a case is about: the value itself or, for a neighbour,
// another value of its class, a multiple of step away.
func (g *Gen) Int(text string, step int64) string {
	n, ok := new(big.Int).SetString(text, 10)
	if g.id.Neighbour == 0 || !ok {
		return text
	}
	k := int64(g.id.RunNumber%4096)*8 + int64(g.id.Neighbour)
	if size := new(big.Int).Abs(n); size.Cmp(big.NewInt(smallNumber)) < 0 {
		quarter := max(size.Int64()/4, 1)
		k = quarter/2 + k%quarter + 1
	} else {
		k += neighbourDistance
	}
	return n.Add(n, big.NewInt(k*step)).String()
}

// Text returns a string that a case is about: the value itself or, for a neighbour,
// another one that begins with it.
func (g *Gen) Text(s string) string {
	if g.id.Neighbour == 0 {
		return s
	}
	return s + "-" + strings.ToUpper(g.Word()) + strconv.Itoa(g.id.Neighbour)
}
