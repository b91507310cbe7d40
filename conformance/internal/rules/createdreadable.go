package rules

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// createdReadable: what was made can be read.
var createdReadable = rule.Rule{
	Name:        "created-readable",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads what an accepted request made is not answered with 404 or 410. After 202 the thing may not be there yet, unless it was read before. A thing that was made with a time may be over, where the document lists 410. An answer about another thing fails if the request names that one: its key is another one than the answer that made the thing has, as are its texts. So a Location may lead to another thing. A change may not take the thing away, unless it was an action, may be carried out later, gave the thing a key or another state, or its key is a value that the client chose.",
	Explanation: "What a request created can be read, by the identifier or the Location of the response, which lead to no other resource. The read is repeated for as long as --settle says.",
	Fix:         "Store what you create before you answer, and look it up by the identifier that you return.",
	Check: func(p *rule.Input) rule.Outcome {
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Deleted():
			return rule.None
		case p.Got.Success():
			return notAnother(p, made)
		case made.Got.Status == http.StatusAccepted && !readBefore(p) || p.Got.Status != http.StatusNotFound && p.Got.Status != http.StatusGone:
			return rule.None // it may be refused for another reason
		case p.Got.Status == http.StatusGone && p.Op.Lists(http.StatusGone) != nil && timed(made), mayMove(p, made):
			return rule.None
		}
		return verdictOf(false, p, "a success, because "+made.Op.Name()+" made it")
	},
}

// notAnother fails an answer about another thing than the one that a request made.
func notAnother(p *rule.Input, made *rule.Earlier) rule.Outcome {
	names := contract.Expressions(p.Op.Path)
	if made.Sent.Body == nil || p.Sent.Body == nil || len(names) == 0 {
		return rule.Passed
	}
	sent, key := made.Sent.Body.Root(), p.Sent.Body.At(contract.PathPlace(names[len(names)-1]))
	gave, is := unwrapped(answerOf(made), sent), unwrapped(p.Got.Reading.Root(), sent)
	if key == nil || gave == nil || is == nil || !differs(made, sent, gave, is) {
		return rule.Passed
	}
	for _, m := range is.Members {
		was := gave.Get(m.Name)
		isKey := contract.IsKey(m.Name) || contract.Flat(m.Name) == contract.Flat(names[len(names)-1])
		if isKey && was != nil && scalar(was) && scalar(m.Value) && m.Value.Text == key.Text && was.Text != key.Text {
			return rule.Failed("another thing", m.Name+" "+shown(p, was)+", which "+made.Op.Name()+" made", m.Name+" "+shown(p, m.Value))
		}
	}
	return rule.Passed
}

// differs reports whether a thing has none of the texts that a request gave another one, as
// its answer repeats them, but other ones in their place.
func differs(made *rule.Earlier, sent, gave, is *jsontree.Value) bool {
	found := false
	for _, m := range request.Values(made.Op, sent) {
		now, was := is.Get(m.Name), gave.Get(m.Name)
		if now == nil || was == nil || m.Value.Kind != jsontree.String || len(m.Value.Text) <= leastText || !kept(m.Value, was) {
			continue
		}
		if kept(m.Value, now) {
			return false
		}
		found = true
	}
	return found
}

// timed reports whether a request has a time: that may be when what it makes is over.
func timed(made *rule.Earlier) bool {
	if made.Op.Body == nil || made.Op.Body.Shape == nil || made.Sent.Body.Root() == nil {
		return false
	}
	return slices.ContainsFunc(made.Op.Body.Shape.Schema.Properties, func(q *contract.Property) bool {
		return (q.Schema.Format == "date-time" || q.Schema.Format == "date") && made.Sent.Body.Root().Get(q.Name) != nil
	})
}

// mayMove reports whether something that was done with a thing may have taken it to another
// address, or hidden it.
func mayMove(p *rule.Input, made *rule.Earlier) bool {
	names := contract.Expressions(p.Op.Path)
	if len(p.History) < 2 || len(names) == 0 {
		return false
	}
	first, key, last := bodyOfMade(made), keySent(p.Op, p.Sent), contract.Flat(names[len(names)-1])
	return slices.ContainsFunc(p.History[1:], func(e rule.Earlier) bool {
		if e.Reads() || !e.Got.Success() {
			return false
		}
		body := written(p, &e)
		return body == nil || first == nil || key == nil || hides(first, body) || slices.ContainsFunc(body.Members, func(m jsontree.Member) bool {
			own := m.Name == "id" || contract.Flat(m.Name) == last
			return own || m.Value.Text == key.Text || first.Get(m.Name) != nil && first.Get(m.Name).Text == key.Text
		})
	})
}

// hides reports whether a change may hide a thing: a flag of it changes, or a word comes that
// says so.
func hides(was, is *jsontree.Value) bool {
	words := []string{"delet", "archiv", "remov", "trash", "inactiv", "disabl", "cancel", "clos", "gone", "hid", "priva", "draft", "retir", "expir", "suspend", "block", "end", "sold", "lost"}
	return slices.ContainsFunc(is.Members, func(m jsontree.Member) bool {
		old := was.Get(m.Name)
		text := strings.ToLower(m.Value.Text)
		return !(old != nil && jsontree.Equal(old, m.Value)) && (m.Value.Kind == jsontree.Bool || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) }))
	})
}

// readBefore reports whether the same request found the thing before, at another address.
func readBefore(p *rule.Input) bool {
	return slices.ContainsFunc(p.History, func(e rule.Earlier) bool { return e.Op == p.Op && e.Got.Success() })
}
