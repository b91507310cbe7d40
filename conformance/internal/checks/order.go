package checks

import (
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// orderOf returns the order that a request asks for, or nil. Members with an enum may have an order
// of their own.
func orderOf(one *listing) *openapi.Order {
	for i := range one.is.Orders {
		o := &one.is.Orders[i]
		if m := one.is.Item.Property(o.Member); m != nil && m.Schema != nil && len(m.Schema.Enum) > 0 {
			continue // low, medium, high
		}
		v, way := one.asked(o.Parameter), one.asked(o.Direction)
		if v != nil && jsontree.Equal(v, o.Value) && (o.Direction == nil || way != nil && jsontree.Equal(way, o.Way)) {
			return o
		}
	}
	return nil
}

// inOrder reports whether some items of different values are in order, and describes the
// first two that are not.
func inOrder(p *rule.Input, o *openapi.Order, items []*jsontree.Value) (kept bool, wrong string) {
	var before *jsontree.Value
	for _, item := range items {
		v := item.Get(o.Member)
		if v == nil || !scalar(v) {
			continue
		}
		if before != nil {
			switch side := inDirection(o, before, v); {
			case side > 0:
				return false, o.Member + " " + shown(p, before) + " before " + shown(p, v)
			case side < 0:
				kept = true
			}
		}
		before = v
	}
	return kept, ""
}

// inDirection is negative if a value comes before another one in the order that a request asks
// for, positive if it comes after it, and 0 if that depends on the server.
func inDirection(o *openapi.Order, a, b *jsontree.Value) int {
	if o.Down {
		return -compared(a, b)
	}
	return compared(a, b)
}

// compared is negative if a value comes before another one in every usual order, positive
// if it comes after it, and 0 if that depends on the order.
func compared(a, b *jsontree.Value) int {
	if a.Kind == jsontree.Number && b.Kind == jsontree.Number {
		return jsontree.Compare(a.Text, b.Text)
	}
	if a.Kind != jsontree.String || b.Kind != jsontree.String {
		return 0
	}
	x, bad := time.Parse(time.RFC3339Nano, a.Text)
	y, worse := time.Parse(time.RFC3339Nano, b.Text)
	if bad == nil && worse == nil {
		return x.Compare(y)
	}
	if x, bad = time.Parse(time.DateOnly, a.Text); bad == nil {
		if y, bad = time.Parse(time.DateOnly, b.Text); bad == nil {
			return x.Compare(y)
		}
	}
	return alphabetical(a.Text, b.Text)
}

// alphabetical compares two texts by the first letters in which they differ. It returns 0
// where languages and programs do not agree: they may fold capitals, compare digits as
// numbers, and have letters of two characters, such as ch in Czech.
func alphabetical(a, b string) int {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	if at == len(a) || at == len(b) {
		return 0
	}
	agreed := "bcdefgikmnopqtux"
	if at == 0 && !strings.HasPrefix(a, "ch") && !strings.HasPrefix(b, "ch") {
		agreed += "hjlrs"
	}
	if strings.IndexByte(agreed, a[at]) < 0 || strings.IndexByte(agreed, b[at]) < 0 {
		return 0
	}
	return int(a[at]) - int(b[at])
}
