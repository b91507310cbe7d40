package checks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// stored compares what was read with what a request of the history wrote. Of a member that
// the answer to that request has, the value there counts: a store may have changed its
// spelling, or may not take it from clients, but what is left of a value is no spelling of
// it. A member that neither has is lost if it was shown before. And if no value of the request
// was stored and those from before are still there, nothing was written.
func stored(p *requirement.Input, by *requirement.TraceStep, at int) requirement.Outcome {
	sent := written(p, by)
	if p.Got.Reading.Root() == nil {
		return storedBytes(p, by, at)
	}
	if sent == nil {
		return storedWhole(p, by)
	}
	is := unwrapped(p.Got.Reading.Root(), sent)
	if is == nil {
		return requirement.None
	}
	given := unwrapped(answerOf(by), sent)
	compared, lost, written := false, "", false
	for _, m := range sent.Members {
		got := is.Get(m.Name)
		if secret(m.Name) || madeByServer(p, m.Name) {
			continue
		}
		if got == nil {
			if (missed(p, m) || zero(m.Value) && holds(given.Get(m.Name), m.Value) && propertyOf(p, m.Name) != nil) && (given == nil || given.Get(m.Name) != nil || shownBefore(p, at, m.Name)) {
				return inResource(p, is, m.Name, requirement.Failed("lost "+m.Name, m.Name+" as "+by.Op.Name()+" gave it", "no "+m.Name))
			}
			continue
		}
		compared = true
		old := sentBefore(p, at, m.Name)
		if m.Value.Kind == jsontree.Null && got.Kind != jsontree.Null && isMergePatch(by.Op) && old != nil && !empty(got) && kept(got, old) {
			return inResource(p, is, m.Name, requirement.Failed("kept "+m.Name, "no "+m.Name+", because "+by.Op.Name()+" set it to null", m.Name+" "+shown(p, got)))
		}
		if name := remaining(m.Value, old, got); name != "" && isMergePatch(by.Op) {
			return inResource(p, is, m.Name, requirement.Failed("kept "+m.Name, "no "+name+" in "+m.Name+", because "+by.Op.Name()+" set it to null", m.Name+" "+shown(p, got)))
		}
		if isMergePatch(by.Op) && appended(m.Value, old, got) {
			return inResource(p, is, m.Name, requirement.Failed("kept "+m.Name, m.Name+" "+shown(p, m.Value)+": a merge patch replaces a list", m.Name+" "+shown(p, got)))
		}
		want := m.Value
		if v := given.Get(m.Name); v != nil {
			want = asSent(m.Value, v)
		}
		got = withoutAdded(p, at, want, got)
		if !kept(want, got) {
			return inResource(p, is, m.Name, requirement.Failed("lost "+m.Name, m.Name+" as "+by.Op.Name()+" gave it", m.Name+" "+shown(p, got)))
		}
		if (old == nil || !kept(old, got)) && altered(p, by, m, got) {
			return inResource(p, is, m.Name, requirement.Failed("changed "+m.Name, m.Name+" "+shown(p, m.Value)+", as it was sent", m.Name+" "+shown(p, got)))
		}
		switch {
		case kept(m.Value, withoutAdded(p, at, m.Value, got)):
			written = written || old == nil || !kept(old, m.Value)
		case old != nil && kept(old, got):
			lost = m.Name
		}
	}
	switch {
	case !compared:
		return requirement.None
	case lost != "" && !written:
		return requirement.Failed("nothing written", "the values of "+by.Op.Name(), "those from before it, such as "+lost+" "+shown(p, is.Get(lost)))
	}
	return requirement.Passed
}

// shownBefore reports whether a read before a place of the history showed a value of a member.
func shownBefore(p *requirement.Input, end int, name string) bool {
	return slices.ContainsFunc(p.History[:end], func(e requirement.TraceStep) bool {
		if !e.Reads() || e.Aside || !e.Got.Success() {
			return false
		}
		v := resourceIn(p, answerOf(&e)).Get(name)
		return v != nil && !empty(v)
	})
}

// altered reports whether a member became what is left of the value that a request gave it.
func altered(p *requirement.Input, by *requirement.TraceStep, m jsontree.Member, got *jsontree.Value) bool {
	var s *schema.Schema
	if q := propertyOf(p, m.Name); q != nil {
		s = q.Schema
	}
	return by.Got.Status != http.StatusAccepted && damaged(s, m.Value, got)
}

// storedWhole compares a value that is no object, such as a text, with what a PUT gave.
func storedWhole(p *requirement.Input, by *requirement.TraceStep) requirement.Outcome {
	want, got := bodyOf(p, by), p.Got.Reading.Root()
	switch {
	case by.Op.Method != http.MethodPut || want == nil || want.Kind != got.Kind:
		return requirement.None
	case !kept(want, got):
		return requirement.Failed("lost", "the value that "+by.Op.Name()+" gave", shown(p, got))
	}
	return requirement.Passed
}

// storedBytes compares bytes without a structure with the bytes that a PUT gave. A server may encode
// an image anew. It is a loss if the bytes from before are still there, or if a file of no known kind
// has other bytes.
func storedBytes(p *requirement.Input, by *requirement.TraceStep, at int) requirement.Outcome {
	want := bodyOf(p, by)
	if by.Op.Method != http.MethodPut || !plainText(want) || p.Exchange.Response.ContentErr != nil {
		return requirement.None
	}
	if media, _, _ := strings.Cut(by.Op.Body.Media, ";"); !strings.EqualFold(strings.TrimSpace(media), p.Got.Media) {
		return requirement.None
	}
	got := string(p.Exchange.Response.Content)
	if got == want.Text {
		return requirement.Passed
	}
	for i := range p.History[:at] {
		if before := bodyOf(p, &p.History[i]); plainText(before) && got == before.Text {
			return requirement.Failed("kept", "the bytes that "+by.Op.Name()+" gave", "those from before it")
		}
	}
	if p.Got.Media != "application/octet-stream" || p.Got.Status != http.StatusOK {
		return requirement.None
	}
	return requirement.Failed("lost", fmt.Sprintf("the %d bytes that %s gave", len(want.Text), by.Op.Name()), fmt.Sprintf("%d others", len(got)))
}

// plainText reports whether a value is a text that has the same bytes in every charset.
func plainText(v *jsontree.Value) bool {
	return v != nil && v.Kind == jsontree.String && !strings.ContainsFunc(v.Text, func(r rune) bool { return r > unicode.MaxASCII })
}

// appended reports whether a list has items of an earlier one that the one sent does not have.
func appended(sent, old, got *jsontree.Value) bool {
	if sent.Kind != jsontree.Array || got.Kind != jsontree.Array || old == nil || old.Kind != jsontree.Array || len(got.Items) <= len(sent.Items) {
		return false
	}
	return slices.ContainsFunc(old.Items, func(v *jsontree.Value) bool { return keptIn(v, got.Items) && !keptIn(v, sent.Items) })
}

// missed reports whether an answer that has no such member lacks something: its schema
// has the member, and the value is not empty.
func missed(p *requirement.Input, m jsontree.Member) bool {
	q := propertyOf(p, m.Name)
	return q != nil && !q.Schema.WriteOnly && !empty(m.Value)
}

// zero reports whether a value is false or 0. An empty text or list may be no value to a store.
func zero(v *jsontree.Value) bool {
	return (v.Kind == jsontree.Bool || v.Kind == jsontree.Number) && empty(v)
}

// propertyOf returns what the answer's schema says of a member, or nil.
func propertyOf(p *requirement.Input, name string) *schema.Property { return propertyIn(p.Got, name) }

// propertyIn is propertyOf for another answer.
func propertyIn(got *requirement.Answer, name string) *schema.Property {
	if got.Form == nil || got.Form.Shape == nil {
		return nil
	}
	return propertyBelow(got.Form.Shape.Schema, name)
}

func answerOf(e *requirement.TraceStep) *jsontree.Value {
	if e.Got == nil {
		return nil
	}
	return e.Got.Reading.Root()
}

// madeByServer reports whether the answer's schema makes a member readOnly.
func madeByServer(p *requirement.Input, name string) bool {
	q := propertyOf(p, name)
	return q != nil && q.Schema.ReadOnly
}

// secret reports whether a member is one that servers hide or hash.
func secret(name string) bool {
	return hints.Means(name, hints.Password) || hints.Means(name, hints.Hidden)
}

// saysGone reports whether a text has a word that says that something is not there any more,
// or one of further words.
func saysGone(text string, additional ...string) bool {
	words := append([]string{"delet", "archiv", "remov", "trash", "inactiv", "disabl", "cancel", "clos", "gone"}, additional...)
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// holds reports whether a member, which may be nil, has this value.
func holds(v, value *jsontree.Value) bool { return v != nil && jsontree.Equal(v, value) }

// marks reports whether one of the members in which a resource differs from what it was
// says that it is deleted.
func marks(was, is *jsontree.Value) bool {
	says := func(text string) bool { return saysGone(text, "active", "enabl", "status", "state") }
	for _, m := range is.Members {
		switch old := was.Get(m.Name); {
		case holds(old, m.Value):
		case says(m.Name), m.Value.Kind == jsontree.String && says(m.Value.Text):
			return true
		case old != nil && marks(old, m.Value):
			return true
		}
	}
	return false
}

// kept reports whether a stored value is the one that was given, as far as stores leave
// values alone: they trim and fold texts, round numbers and times, mask values, set
// defaults for null and sort sets.
func kept(want, got *jsontree.Value) bool {
	switch {
	case want.Kind == jsontree.Null || jsontree.Equal(want, got):
		return true
	case scalar(want) && scalar(got):
		return sameText(want, got)
	case want.Kind == jsontree.Object && got.Kind == jsontree.Object:
		return !slices.ContainsFunc(want.Members, func(m jsontree.Member) bool {
			v := got.Get(m.Name)
			return v != nil && !secret(m.Name) && !kept(m.Value, v)
		})
	case want.Kind == jsontree.Array && got.Kind == jsontree.Array:
		return sameItems(want.Items, got.Items)
	case want.Kind == jsontree.String && want.Text == "":
		return got.Kind == jsontree.Null
	}
	return false
}

// withoutAdded returns a value without what the server added to the lists of the value that it was
// given, such as the owner to those who may write: what it was given is still there. Values
// that a request up to a place of the history sent stay: they are rests of a value, not additions.
func withoutAdded(p *requirement.Input, at int, want, got *jsontree.Value) *jsontree.Value {
	out := *got
	switch {
	case want.Kind == jsontree.Object && got.Kind == jsontree.Object:
		out.Members = slices.Clone(got.Members)
		for i := range out.Members {
			if v := want.Get(out.Members[i].Name); v != nil {
				out.Members[i].Value = withoutAdded(p, at, v, out.Members[i].Value)
			}
		}
	case want.Kind == jsontree.Array && got.Kind == jsontree.Array:
		out.Items = slices.DeleteFunc(slices.Clone(got.Items), func(v *jsontree.Value) bool {
			return !slices.ContainsFunc(want.Items, func(w *jsontree.Value) bool { return kept(w, v) }) && !wasSent(p, at, v)
		})
	}
	return &out
}

// asSent returns a value of an answer without members that the request did not have: a server may change its own.
func asSent(sent, gave *jsontree.Value) *jsontree.Value {
	out := *gave
	switch {
	case sent.Kind == jsontree.Object && gave.Kind == jsontree.Object:
		out.Members = slices.DeleteFunc(slices.Clone(gave.Members), func(m jsontree.Member) bool { return sent.Get(m.Name) == nil })
		for i, m := range out.Members {
			out.Members[i].Value = asSent(sent.Get(m.Name), m.Value)
		}
	case sent.Kind == jsontree.Array && gave.Kind == jsontree.Array && len(sent.Items) == len(gave.Items):
		out.Items = slices.Clone(gave.Items)
		for i, v := range out.Items {
			out.Items[i] = asSent(sent.Items[i], v)
		}
	}
	return &out
}

// wasSent reports whether a request up to a place of the history gave a value, at any place of it.
func wasSent(p *requirement.Input, at int, v *jsontree.Value) (found bool) {
	for i := range p.History[:at+1] {
		bodyOf(p, &p.History[i]).Walk(func(_ string, w *jsontree.Value) {
			shared := w.Kind != jsontree.Object || slices.ContainsFunc(w.Members, func(m jsontree.Member) bool { return v.Get(m.Name) != nil })
			found = found || w.Kind == v.Kind && shared && kept(w, v)
		})
	}
	return found
}

// sameItems reports whether two lists have the same items in any order. Items that come
// twice may have become one.
func sameItems(want, got []*jsontree.Value) bool {
	for _, v := range want {
		if !keptIn(v, got) {
			return false
		}
	}
	return !slices.ContainsFunc(got, func(v *jsontree.Value) bool {
		return !slices.ContainsFunc(want, func(w *jsontree.Value) bool { return kept(w, v) })
	})
}

// keptIn reports whether a value is among others.
func keptIn(v *jsontree.Value, list []*jsontree.Value) bool {
	return slices.ContainsFunc(list, func(is *jsontree.Value) bool { return kept(v, is) })
}

// sameText reports whether two texts or numbers are spellings of one value.
func sameText(want, got *jsontree.Value) bool {
	a, b := norm.NFC.String(strings.TrimSpace(want.Text)), norm.NFC.String(strings.TrimSpace(got.Text))
	switch {
	case strings.EqualFold(a, b), strings.ContainsAny(b, "*•"), strings.EqualFold(strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")):
		return true
	case jsontree.ValidNumber(a) && jsontree.ValidNumber(b):
		return near(a, b)
	}
	return sameTime(a, b)
}

// near reports whether a stored number is the one that was given, or that one without some
// of its decimals after the second.
func near(want, got string) bool {
	if jsontree.Compare(want, got) == 0 {
		return true
	}
	_, decimals, _ := strings.Cut(got, ".")
	return len(decimals) >= 2 && len(got) < len(want) && strings.HasPrefix(want, got[:len(got)-1])
}

// sameTime reports whether two texts are the same time, to the second, or the same date.
func sameTime(a, b string) bool {
	read := func(text string) (time.Time, bool) {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				return t, true
			}
		}
		return time.Time{}, false
	}
	x, isX := read(a)
	y, isY := read(b)
	return isX && isY && (x.Sub(y).Abs() < 2*time.Second || x.Equal(y.Truncate(time.Second)) || x.Format(time.DateOnly) == b || y.Format(time.DateOnly) == a)
}

// scalar reports whether a value is a text or a number.
func scalar(v *jsontree.Value) bool {
	return (v.Kind == jsontree.String || v.Kind == jsontree.Number) && v.Text != ""
}

// minText is the length of a text that no other thing has by chance.
const minText = 4

// showsNew reports whether a resource has a value that the request at a place of the history
// gave, and no request before it.
func showsNew(p *requirement.Input, at int, sent, is *jsontree.Value) bool {
	return slices.ContainsFunc(sent.Members, func(m jsontree.Member) bool {
		old, now := sentBefore(p, at, m.Name), is.Get(m.Name)
		return now != nil && unusual(m.Value) && kept(m.Value, now) && (old == nil || !kept(old, m.Value))
	})
}
