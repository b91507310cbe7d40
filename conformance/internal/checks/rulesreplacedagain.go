package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// replacedAgain: the same PUT twice leaves what one leaves.
var replacedAgain = rule.Rule{
	Name:        "replaced-again",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads a thing after two accepted PUTs with one body has the members of the PUT as the read between them had them: the values that were sent, or those that the server made of them. Of the latter, lists of another length, other numbers and longer texts are judged, and no versions and times.",
	Explanation: "Sending the same PUT twice leaves the resource as sending it once does. Members that the PUT does not have are not judged, nor are versions and times.",
	Fix:         "Set the values of the PUT. Do not add them to lists, numbers or texts that are there.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		before := lastWrite(p, at)
		if before <= 0 || by.Op.Method != http.MethodPut || p.History[before].Op != by.Op || !p.Got.Success() {
			return rule.None
		}
		sent := written(p, by)
		is, was := unwrapped(p.Got.Reading.Root(), sent), lastRead(p, before, at)
		if sent == nil || is == nil || was == nil || !jsontree.Equal(sent, written(p, &p.History[before])) {
			return rule.None
		}
		for _, m := range sent.Members {
			first, now := was.Get(m.Name), is.Get(m.Name)
			if first == nil || now == nil || secret(m.Name) || madeByServer(p, m.Name) {
				continue
			}
			// A list has the same items if one is in it twice.
			if longer(m.Value, first, now) || !kept(m.Value, now) && (kept(m.Value, first) || grown(m, first, now)) {
				return rule.Failed("again "+m.Name, m.Name+" "+shown(p, first)+", as after the first of two equal requests", m.Name+" "+shown(p, now))
			}
		}
		return rule.Passed
	},
}

// longer reports whether a list has more items than before, and than were sent.
func longer(sent, first, now *jsontree.Value) bool {
	lists := sent.Kind == jsontree.Array && first.Kind == jsontree.Array && now.Kind == jsontree.Array
	return lists && len(now.Items) > max(len(first.Items), len(sent.Items))
}

// grown reports whether what a server made of a member became more when the same came again.
func grown(m jsontree.Member, first, now *jsontree.Value) bool {
	switch {
	case first.Kind != now.Kind || counts(m.Name):
		return false
	case now.Kind == jsontree.Array:
		return len(first.Items) != len(now.Items)
	case now.Kind == jsontree.Number:
		return jsontree.Compare(first.Text, now.Text) != 0
	case now.Kind == jsontree.String && m.Value.Kind == jsontree.String:
		return len(now.Text) > len(first.Text) && m.Value.Text != "" && strings.Contains(now.Text, m.Value.Text) && strings.Contains(now.Text, first.Text)
	}
	return false
}

// counts reports whether a member of this name may be one that each write counts up or sets to
// its time.
func counts(name string) bool {
	name = openapi.Flat(name)
	return strings.HasSuffix(name, "at") || slices.ContainsFunc([]string{"version", "revision", "etag", "updat", "modif", "chang", "edit", "time", "stamp", "date", "seq", "generation", "lock", "count", "saved", "written"},
		func(word string) bool { return strings.Contains(name, word) })
}
