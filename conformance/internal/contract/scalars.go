package contract

import "plantstore/conformance/internal/jsontree"

// scalar takes the keywords that hold one value.
func (s *Schema) scalar(name string, v *jsontree.Value) {
	switch name {
	case "const":
		s.Const = v
	case "minimum":
		s.Minimum = tighter(s.Minimum, v.Text, 1)
	case "maximum":
		s.Maximum = tighter(s.Maximum, v.Text, -1)
	case "exclusiveMinimum":
		if v.Kind == jsontree.Number {
			s.Above = tighter(s.Above, v.Text, 1)
		}
	case "exclusiveMaximum":
		if v.Kind == jsontree.Number {
			s.Below = tighter(s.Below, v.Text, -1)
		}
	case "multipleOf":
		s.Multiple = v.Text
	case "minLength":
		s.MinLength = bound(s.MinLength, v, 1)
	case "maxLength":
		s.MaxLength = bound(s.MaxLength, v, -1)
	case "pattern":
		s.Pattern = v.Text
	case "minItems":
		s.MinItems = bound(s.MinItems, v, 1)
	case "maxItems":
		s.MaxItems = bound(s.MaxItems, v, -1)
	case "minContains":
		s.MinContains = bound(s.MinContains, v, 1)
	case "maxContains":
		s.MaxContains = bound(s.MaxContains, v, -1)
	case "uniqueItems":
		s.Unique = s.Unique || v.Bool
	case "minProperties":
		s.MinProps = bound(s.MinProps, v, 1)
	case "maxProperties":
		s.MaxProps = bound(s.MaxProps, v, -1)
	case "readOnly":
		s.ReadOnly = v.Bool
	case "writeOnly":
		s.WriteOnly = v.Bool
	}
}

// tighter keeps the narrower of two number bounds; side is 1 for a lower bound.
func tighter(old, text string, side int) string {
	if old == "" || jsontree.Compare(text, old) == side {
		return text
	}
	return old
}

func bound(old *int, v *jsontree.Value, side int) *int {
	n, ok := jsontree.Int64(v.Text)
	if !ok || n > 1<<30 {
		return old
	}
	if old != nil && (int(n)-*old)*side <= 0 {
		return old
	}
	i := int(n)
	return &i
}

func texts(v *jsontree.Value) []string {
	if v.Kind == jsontree.String {
		return []string{v.Text}
	}
	var out []string
	for _, i := range v.Items {
		out = append(out, i.Text)
	}
	return out
}

// narrow intersects two type lists, as allOf does; integer is a kind of number.
func narrow(a, b []string) []string {
	if a == nil {
		return b
	}
	out := []string{}
	for _, t := range a {
		for _, u := range b {
			switch {
			case t == u:
				out = append(out, t)
			case t == "integer" && u == "number" || t == "number" && u == "integer":
				out = append(out, "integer")
			}
		}
	}
	return out
}
