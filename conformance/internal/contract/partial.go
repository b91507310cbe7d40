package contract

import (
	"regexp"
	"slices"
	"strings"
)

// The words with which documents say what becomes of members that a request leaves out: those
// that speak of such members, those that say that they stay, or may, and those that say that
// they do not.
var (
	speaksOfRest = regexp.MustCompile(`(?i)\b(omit\w*|left out|leav\w+ out|absent|absence|missing|not (be )?(given|sent|provided|included|present|specified|supplied|named|set|passed))\b`)
	restStays    = regexp.MustCompile(`(?i)\b(partial\w*|merg\w+|patch\w*|unchanged|untouched|unaffected|preserv\w+|retain\w*|keep\w*|kept|remain\w*|stay\w*|ignor\w+|only (the|those|given|what)|as (it|they) (is|are|was|were)|(not|never|nothing|no longer|\w+n't) ((be|is|are|get) )?(remov|delet|clear|reset|drop|chang|touch|overwr|modif|alter|affect|replac|becom|disappear)\w*)\b`)
	restVanishes = regexp.MustCompile(`(?i)\b(disappears?|vanish\w*|(becomes?|is|are|be|to) (set to )?(null|empty|absent|removed|deleted|cleared|reset|emptied|dropped|unset|lost)|((re)?set to|gets?|takes?) (its|their|the) defaults?)\b`)
)

// rest reports whether the document speaks of what becomes of members that a request of the
// operation leaves out: they may stay, or the text of the operation or of its body says that
// they do not, and no other text that they do.
func (l *loader) rest(op *Operation, pointer string) (partial, whole bool) {
	if op.Body == nil || op.Body.Shape == nil {
		return false, false
	}
	body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
	places := []string{pointer, body, op.Body.Shape.Schema.Pointer}
	for _, p := range op.Body.Shape.Schema.Properties {
		places = append(places, p.Schema.Pointer)
	}
	stays := false
	for i, at := range places {
		v, names := l.root.At(at), op.Body.Shape.Schema.Properties
		if i >= 2 {
			names = nil
		}
		for sentence := range sentences(text(v, "/summary") + ". " + text(v, "/description")) {
			speaks, about := speaksOfRest.MatchString(sentence), func(p *Property) bool { return strings.Contains(strings.ToLower(sentence), strings.ToLower(p.Name)) }
			switch {
			case restStays.MatchString(sentence):
				// What stays may be something else: the bookings of a room.
				stays = true
				partial = partial || speaks || i >= 2 || slices.ContainsFunc(names, about)
			case speaks && restVanishes.MatchString(sentence):
				whole = whole || i < 2
			case speaks:
				partial = true
			}
		}
	}
	whole = whole && !partial
	return partial || stays && !whole, whole
}

// Droppable lists the members of a body that a request may leave out, and of which a server
// that stores the body as the whole of a thing then keeps nothing: members without a
// default that name no other thing and that the server does not make. Those with a default are
// among them if the document says that nothing stays.
func (o *Operation) Droppable() []*Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s, at := p.Schema, "/"+p.Name
		switch {
		case p.Required || s.ReadOnly || s.WriteOnly || s.Never || s.Default != nil && !o.LeavesNothing() || s.Const != nil || len(s.Enum) > 0 || s.Type() == "boolean":
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
