package generate

import (
	"math/big"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// smallest is how many values of a schema, from the least one on, are small.
const smallest = 10

// HasSmall reports whether the body of a baseline request has numbers that Small makes small.
// Keys are left out, because the target may take each only once.
func HasSmall(op *openapi.Operation) bool {
	if op.Body == nil {
		return false
	}
	s, found := op.Body.Shape.Schema, false
	eachNumber(s, "", Probe(op).BaselineValue(s), func(string, *openapi.Schema, *jsontree.Value) { found = true })
	return found
}

// mostSmall returns the largest small number of a schema.
func mostSmall(s *openapi.Schema) *big.Int {
	low, _, step := Bounds(s)
	most := new(big.Int).Mul(step, big.NewInt(smallest-1))
	return most.Add(most, low)
}

// eachNumber visits the numbers of a value at a path, keys apart, each with its path, in
// which an asterisk stands for the items of an array, and its schema.
func eachNumber(s *openapi.Schema, path string, v *jsontree.Value, visit func(path string, s *openapi.Schema, v *jsontree.Value)) {
	switch {
	case s == nil:
	case v.Kind == jsontree.Number && !openapi.KeyAt(path):
		if one := numeric(s); one != nil {
			visit(path, one, v)
		}
	case v.Kind == jsontree.Array && !s.Unique:
		for i := range v.Items {
			eachNumber(s.Item(i), path+"/*", v.Items[i], visit)
		}
	case v.Kind == jsontree.Object:
		for i := range v.Members {
			if p := s.Property(v.Members[i].Name); p != nil && p.Thing == "" {
				eachNumber(p.Schema, path+"/"+jsontree.EscapePointer(p.Name), v.Members[i].Value, visit)
			}
		}
	}
}

// numeric returns the schema that bounds a number: the given one, or the only alternative of it
// that allows numbers. It is nil if there are several.
func numeric(s *openapi.Schema) *openapi.Schema {
	list := slices.Concat(s.AnyOf, s.OneOf)
	if len(list) == 0 {
		return s
	}
	list = slices.DeleteFunc(list, func(one *openapi.Schema) bool { return !one.Allows("number") })
	if len(list) != 1 {
		return nil
	}
	return numeric(list[0])
}
