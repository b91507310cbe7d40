package contract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// The words with which documents say what becomes of members that a request leaves out: those
// that speak of such members, those that say that they stay, or may, and those that say that
// they do not.
var (
	speaksOfRest = regexp.MustCompile(`(?i)\b(omit\w*|left out|leav\w+ out|absent|absence|missing|not (be )?(given|sent|provided|included|present|specified|supplied|named|set|passed))\b`)
	restStays    = regexp.MustCompile(`(?i)\b(partial\w*|merg\w+|patch\w*|unchanged|untouched|unaffected|preserv\w+|retain\w*|keep\w*|kept|remain\w*|stay\w*|ignor\w+|only (the|those|given|what)|as (it|they) (is|are|was|were)|(not|never|nothing|no longer|\w+n't) ((be|is|are|get) )?(remov|delet|clear|reset|drop|chang|touch|overwr|modif|alter|affect|replac|becom|disappear)\w*)\b`)
	restVanishes = regexp.MustCompile(`(?i)\b(disappears?|vanish\w*|(becomes?|is|are|be|to) (set to )?(null|empty|absent|removed|deleted|cleared|reset|emptied|dropped|unset|lost)|((re)?set to|gets?|takes?) (its|their|the) defaults?)\b`)
)

// rest returns what the document says of what becomes of members that a request of the
// operation leaves out: that they may stay, or, in the text of the operation or of its body,
// that they do not, if no other text says that they do.
func (l *loader) rest(op *Operation, pointer string) (partial, whole *report.Evidence) {
	if op.Body == nil || op.Body.Shape == nil {
		return nil, nil
	}
	body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
	places := []string{pointer, body, op.Body.Shape.Schema.Pointer}
	for _, p := range op.Body.Shape.Schema.Properties {
		places = append(places, p.Schema.Pointer)
	}
	var stays *report.Evidence
	for i, at := range places {
		v, names := l.root.At(at), op.Body.Shape.Schema.Properties
		if i >= 2 {
			names = nil
		}
		for sentence := range sentences(text(v, "/summary") + ". " + text(v, "/description")) {
			speaks, about := speaksOfRest.MatchString(sentence), func(p *Property) bool { return strings.Contains(strings.ToLower(sentence), strings.ToLower(p.Name)) }
			say := func(fact string) *report.Evidence { return &report.Evidence{Fact: fact, Place: at, Quote: sentence} }
			may, not := say("members that a request leaves out may stay"), say("members that a request leaves out do not stay")
			switch {
			case restStays.MatchString(sentence):
				// What stays may be something else: the bookings of a room.
				stays = cmp.Or(stays, may)
				if speaks || i >= 2 || slices.ContainsFunc(names, about) {
					partial = cmp.Or(partial, may)
				}
			case speaks && restVanishes.MatchString(sentence):
				if i < 2 {
					whole = cmp.Or(whole, not)
				}
			case speaks:
				partial = cmp.Or(partial, may)
			}
		}
	}
	switch {
	case partial != nil:
		return partial, nil
	case whole != nil:
		return nil, whole
	}
	return stays, nil
}

// Droppable lists the members of a body that a request may leave out, and of which a server
// that stores the body as the whole of a thing then keeps nothing: members without a
// default that name no other thing and that the server does not make. All lists those with a
// default too.
func (o *Operation) Droppable(all bool) []*Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s, at := p.Schema, "/"+p.Name
		switch {
		case p.Required || s.ReadOnly || s.WriteOnly || s.Never || s.Default != nil && !all || s.Const != nil || len(s.Enum) > 0 || s.Type() == "boolean":
		case s.Items != nil && len(s.Items.Enum) > 0, Refers(p.Name) != "" || IsKey(p.Name) || o.Same[at] != "", o.binds(at):
		default:
			out = append(out, p)
		}
	}
	return out
}

// binds reports whether a member has to name something that exists.
func (o *Operation) binds(at string) bool {
	for _, path := range o.Bind {
		if path == at || strings.HasPrefix(path, at+"/") {
			return true
		}
	}
	return false
}
