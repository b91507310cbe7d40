package rules

import (
	"strings"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// sorted: a list has the order that was asked for.
var sorted = rule.Rule{
	Name:        "sorted",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "The items of a list are in the order that the request asks for: numbers as numbers, times as times. Texts are compared by the first lower-case ASCII letters in which they differ, where all languages have one order. Items with the same value, or without one, may be anywhere.",
	Explanation: "The items of a list are in the order that the parameter names. Texts are compared only where every usual order agrees; items with the same value may have any order.",
	Fix:         "Apply the parameter to the query of the database, and sort in both directions.",
	Check: func(p *rule.Input) rule.Outcome {
		judged := false
		for _, one := range listings(p) {
			o := orderOf(&one)
			if o == nil {
				continue
			}
			switch kept, wrong := inOrder(p, o, one.items); {
			case wrong != "":
				return rule.Failed("unsorted", "items in the order of "+o.Parameter.Name+" "+shown(p, o.Value), wrong)
			case kept:
				judged = true
			}
		}
		if !judged {
			return rule.None
		}
		return rule.Passed
	},
}

// orderOf returns the order that a request asks for, or nil.
func orderOf(one *listing) *contract.Order {
	for i := range one.is.Orders {
		o := &one.is.Orders[i]
		v, way := one.asked(o.Parameter), one.asked(o.Direction)
		if v != nil && jsontree.Equal(v, o.Value) && (o.Direction == nil || way != nil && jsontree.Equal(way, o.Way)) {
			return o
		}
	}
	return nil
}

// inOrder reports whether some items of different values are in order, and describes the
// first two that are not.
func inOrder(p *rule.Input, o *contract.Order, items []*jsontree.Value) (kept bool, wrong string) {
	var before *jsontree.Value
	for _, item := range items {
		v := item.Get(o.Member)
		if v == nil || !scalar(v) {
			continue
		}
		if before != nil {
			side := compared(before, v)
			if o.Down {
				side = -side
			}
			switch {
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
