package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// createdReadable: what was made can be read.
var createdReadable = rule.Rule{
	Name:        "created-readable",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads what an accepted request made is not answered with 404 or 410. After 202 the thing may not be there yet, unless it was read before. A thing that was made with a time may be over, where the document lists 410. An answer about another thing fails if the request names that one: its key is another one than the answer that made the thing has, as are its texts. So a Location may lead to another thing. A PUT or PATCH must not make the thing disappear. This is not judged after an action or an answer 202, after a change that gives the thing a key or may hide it, and where the client chose the key.",
	Explanation: "What a request created can be read, by the identifier or the Location of the response, which lead to no other resource. The read is repeated for as long as --settle says.",
	Fix:         "Store what you create before you answer, and look it up by the identifier that you return.",
	Check: func(p *rule.Input) rule.Outcome {
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Deleted():
			return rule.None
		case p.Got.Success():
			return notAnother(p, made)
		case made.Got.Status == http.StatusAccepted && !readBefore(p) || !p.Got.Missing():
			return rule.None // it may be refused for another reason
		case p.Got.Status == http.StatusGone && p.Op.Lists(http.StatusGone) != nil && timed(made), mayMove(p, made):
			return rule.None
		}
		return verdictOf(false, p, "a success, because "+made.Op.Name()+" made it")
	},
}

// notAnother fails an answer about another thing than the one that a request made.
func notAnother(p *rule.Input, made *rule.Earlier) rule.Outcome {
	if made.Sent.Body == nil || p.Sent.Body == nil {
		return rule.Passed
	}
	sent, key := made.Sent.Body.Root(), keySent(p.Op, p.Sent)
	gave, is := unwrapped(answerOf(made), sent), unwrapped(p.Got.Reading.Root(), sent)
	if key == nil || gave == nil || is == nil || !differs(made, sent, gave, is) {
		return rule.Passed
	}
	for _, m := range is.Members {
		was := gave.Get(m.Name)
		isKey := openapi.IsKey(m.Name) || openapi.Flat(m.Name) == openapi.Flat(keyName(p.Op))
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
	for _, m := range message.Values(made.Op, sent) {
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
	return slices.ContainsFunc(made.Op.Body.Shape.Schema.Properties, func(q *openapi.Property) bool {
		return (q.Schema.Format == "date-time" || q.Schema.Format == "date") && made.Sent.Body.Root().Get(q.Name) != nil
	})
}

// mayMove reports whether an accepted change may have given the thing another address, or
// hidden it.
func mayMove(p *rule.Input, made *rule.Earlier) bool {
	first, key := written(p, made), keySent(p.Op, p.Sent)
	return slices.ContainsFunc(p.History[1:], func(e rule.Earlier) bool {
		if e.Reads() || !e.Got.Success() {
			return false
		}
		body := written(p, &e)
		return body == nil || first == nil || key == nil || hides(first, body) || slices.ContainsFunc(body.Members, func(m jsontree.Member) bool {
			own := m.Name == "id" || openapi.Flat(m.Name) == openapi.Flat(keyName(p.Op))
			return own || m.Value.Text == key.Text || first.Get(m.Name) != nil && first.Get(m.Name).Text == key.Text
		})
	})
}

// hides reports whether a change may hide a thing: a boolean changes, or a text becomes one
// that says so.
func hides(was, is *jsontree.Value) bool {
	return slices.ContainsFunc(is.Members, func(m jsontree.Member) bool {
		if holds(was.Get(m.Name), m.Value) {
			return false
		}
		return m.Value.Kind == jsontree.Bool || saysGone(m.Value.Text, "hid", "priva", "draft", "retir", "expir", "suspend", "block", "end", "sold", "lost")
	})
}

// readBefore reports whether the same request found the thing before, at another address.
func readBefore(p *rule.Input) bool {
	return slices.ContainsFunc(p.History, func(e rule.Earlier) bool { return e.Op == p.Op && e.Got.Success() })
}
