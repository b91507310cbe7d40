package checks

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var replaced = plan.Mutator{
	Name: "replaced",
	Doc:  "Makes a thing, reads it, replaces it and reads it again, because a server may answer a PUT with what it was sent and store nothing.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || r.Replace == nil {
			return
		}
		add(about("read", judges(storedReplaced, replacedMembers, createdReadable, etagChanges, strongETag, putTag), draws, func(g *plan.Gen, draw int) []plan.Step {
			// The thing has other values before: a simple one gets many, and one with many others.
			return row(with(g, r.Make, draws-1-draw), simplest(g, s.Op), with(g, r.Replace, draw), simplest(g, s.Op))
		}))
	},
}

var replacedAgainScenario = plan.Mutator{
	Name: "replaced-again",
	Doc:  "Makes a thing, sends the same PUT twice and reads the thing after each, because a server may add the values of a PUT to those that it has, and clients repeat a PUT when an answer is lost (RFC 9110, 9.2.2).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || r.Replace == nil || r.Replace.Body == nil {
			return
		}
		add(about("read", judges(replacedAgain), 1, func(g *plan.Gen, _ int) []plan.Step {
			put := lowest(g, r.Replace)
			return row(lowest(g, r.Make), put, simplest(g, s.Op), put.Clone(), simplest(g, s.Op))
		}))
	},
}

// replacedAgain: the same PUT twice leaves what one leaves.
var replacedAgain = requirement.Rule{
	Name:        "replaced-again",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "the same PUT sent twice gives another result",
	Doc:         "An answer that reads a thing after two accepted PUTs with one body has the members of the PUT as the read between them had them: the values that were sent, or those that the server made of them. Of the latter, lists of another length, other numbers and longer texts are judged, and no versions and times.",
	Explanation: "Sending the same PUT twice leaves the resource as sending it once does. Members that the PUT does not have are not judged, nor are versions and times.",
	Fix:         "Set the values of the PUT. Do not add them to lists, numbers or texts that are there.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		put := s.Resource.Replace
		if s.Op != s.Resource.Read || put == nil || put.Body == nil {
			return nil
		}
		return s.Should("RFC 9110, 9.2.2", "The same request to %s twice leaves what one leaves.", put.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		before := lastWrite(p, at)
		if before <= 0 || by.Op.Method != http.MethodPut || p.History[before].Op != by.Op || !p.Got.Success() {
			return requirement.None
		}
		sent := written(p, by)
		is, was := unwrapped(p.Got.Reading.Root(), sent), lastRead(p, before, at)
		if sent == nil || is == nil || was == nil || !jsontree.Equal(sent, written(p, &p.History[before])) {
			return requirement.None
		}
		for _, m := range sent.Members {
			first, now := was.Get(m.Name), is.Get(m.Name)
			if first == nil || now == nil || secret(m.Name) || madeByServer(p, m.Name) {
				continue
			}
			// A list has the same items if one is in it twice.
			if longer(m.Value, first, now) || !kept(m.Value, now) && (kept(m.Value, first) || grown(m, first, now)) {
				return requirement.Failed("again "+m.Name, m.Name+" "+shown(p, first)+", as after the first of two equal requests", m.Name+" "+shown(p, now))
			}
		}
		return requirement.Passed
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
	name = hints.Flat(name)
	return strings.HasSuffix(name, "at") || slices.ContainsFunc([]string{"version", "revision", "etag", "updat", "modif", "chang", "edit", "time", "stamp", "date", "seq", "generation", "lock", "count", "saved", "written"},
		func(word string) bool { return strings.Contains(name, word) })
}

// replacedMembers: a PUT that replaces everything leaves no old value of what it sends.
var replacedMembers = requirement.Rule{
	Name:        "replaced-members",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a PUT does not store exactly what it sends",
	Line:        "replacesAll",
	Doc:         "If a sentence of the document says that a PUT replaces everything, no member that it sent with a new value has its old value in the next read. If one says that members which are left out do not stay, none of them has a value from before. Keys, members that name other things, and those that the sentence names are not judged.",
	Explanation: "A PUT that replaces everything stores every member that it sends, and leaves no other.",
	Fix:         "Store every member of the PUT. Refuse a value that may not change, or make its member readOnly.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		put := s.Resource.Replace
		if s.Op != s.Resource.Read || put == nil {
			return nil
		}
		said := cmp.Or(put.Replaces, put.Whole)
		if said == nil && !put.Accepted.ReplacesAll {
			return nil
		}
		return s.Suspect(said, "Reading gives every value that %s sent, and no other.", put.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPut || by.Got.Status == http.StatusAccepted || !by.Got.Success() || !p.Got.Success() {
			return requirement.None
		}
		sent, was := written(p, by), lastRead(p, 0, at)
		is := unwrapped(p.Got.Reading.Root(), sent)
		if sent == nil || is == nil {
			return requirement.None
		}
		out := stays(p, by, at, is)
		if out.Verdict == report.Fail || was == nil {
			return out
		}
		for _, m := range sent.Members {
			old, now := was.Get(m.Name), is.Get(m.Name)
			if old == nil || now == nil || kept(m.Value, old) || !replaces(p, by, m) {
				continue
			}
			if kept(old, now) && !kept(m.Value, now) {
				return requirement.Failed("not replaced "+m.Name, m.Name+" "+shown(p, m.Value)+", as "+by.Op.Name()+" sent it", m.Name+" "+shown(p, now)+", as before")
			}
			out = requirement.Passed
		}
		return out
	},
}

// replaces reports whether a PUT has to replace a member.
func replaces(p *requirement.Input, by *requirement.TraceStep, m jsontree.Member) bool {
	return by.Op.ReplacesMember(m.Name) && !secret(m.Name) && !madeByServer(p, m.Name) && !hints.IsKey(m.Name) && hints.Refers(m.Name) == ""
}

// stays fails a member that a PUT leaves out and that has the value which any request before it
// gave, if the document says that nothing stays.
func stays(p *requirement.Input, by *requirement.TraceStep, at int, is *jsontree.Value) requirement.Outcome {
	sent := written(p, by)
	if !by.Op.LeavesNothing() || !showsNew(p, at, sent, is) {
		return requirement.None
	}
	for _, q := range by.Op.Droppable(true) {
		now := is.Get(q.Name)
		if sent.Get(q.Name) != nil || now == nil || secret(q.Name) || madeByServer(p, q.Name) || !unusual(now) || q.Schema.Default != nil && kept(q.Schema.Default, now) {
			continue
		}
		for i := range at {
			e := &p.History[i]
			if v := written(p, e).Get(q.Name); !e.Aside && v != nil && v.Kind == now.Kind && kept(v, now) {
				return requirement.Failed("kept "+q.Name, "no "+q.Name+", because "+by.Op.Name()+" leaves it out", q.Name+" "+shown(p, now)+", as before")
			}
		}
	}
	return requirement.None
}

// replacedWhole: what a PUT leaves out does not stay.
var replacedWhole = requirement.Rule{
	Name:        "replaced-whole",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a PUT keeps a value that it leaves out",
	Line:        "replacesAll",
	Doc:         "An answer that reads what an accepted PUT replaced does not have the value of a member that the PUT leaves out and the PUT before it gave. It is judged if that PUT changed the value that the thing was made with, so that the member can change, if no server would make the value itself, and if the answer shows another value of the last PUT.",
	Explanation: "A PUT that leaves out an optional member takes away the value that the member had. ReadOnly and required members and keys are not judged, nor are members with a default.",
	Fix:         "Build the new state from the body of the PUT alone, and from what the server makes. Use PATCH for changes of some members.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		put := s.Resource.Replace
		if s.Op != s.Resource.Read || !s.Resource.ReplacesWhole() || len(put.Droppable(false)) == 0 {
			return nil
		}
		return s.Should("RFC 9110, 9.3.4", "What %s leaves out does not stay.", put.Name()).On(cmp.Or(put.Partial, put.Whole))
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || by.Op.Method != http.MethodPut || by == p.Made() || !p.Got.Success() {
			return requirement.None
		}
		sent := written(p, by)
		is := unwrapped(p.Got.Reading.Root(), sent)
		before := lastWrite(p, at)
		if is == nil || !showsNew(p, at, sent, is) {
			return requirement.None
		}
		if before <= 0 || p.History[before].Op != by.Op {
			return requirement.None
		}
		given, was := written(p, &p.History[before]), lastRead(p, before, at)
		compared := false
		for _, q := range by.Op.Droppable(false) {
			v, first, seen := given.Get(q.Name), sentBefore(p, before, q.Name), was.Get(q.Name)
			if sent.Get(q.Name) != nil || v == nil || first == nil || seen == nil || secret(q.Name) || madeByServer(p, q.Name) {
				continue
			}
			if of := propertyOf(p, q.Name); !unusual(v) || kept(first, v) || !kept(v, seen) || of != nil && of.Required && !of.Schema.Allows("null") {
				continue
			}
			compared = true
			if now := is.Get(q.Name); now != nil && now.Kind == v.Kind && kept(v, now) {
				return requirement.Failed("kept "+q.Name, "no "+q.Name+", because "+by.Op.Name()+" leaves it out", q.Name+" "+shown(p, now)+", as before")
			}
		}
		if !compared {
			return requirement.None
		}
		return requirement.Passed
	},
}

var leftOut = plan.Mutator{
	Name: "left-out",
	Doc:  "Makes a thing with all members, replaces it with other values, then with the required members alone, and reads it, because a server may merge the body of a PUT into what it has.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || !r.ReplacesWhole() && !keepsRest(r.Replace) {
			return
		}
		add(about("read", judges(replacedWhole, replacedMembers, patchLeavesRest), 2, func(g *plan.Gen, draw int) []plan.Step {
			// The first PUT shows which members a PUT changes.
			draw = 1 + 2*draw
			return row(with(g, r.Make, draw), with(g, r.Replace, draw), simplest(g, s.Op), simplest(g, r.Replace), simplest(g, s.Op))
		}))
	},
}

// storedReplaced: reading gives what replacing gave.
var storedReplaced = requirement.Rule{
	Name:        "stored-replaced",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a read returns other values than the PUT sent",
	Aspect:      requirement.AspectChanged,
	Doc:         "An answer that reads what an accepted PUT replaced has the values of the PUT, as its answer gave them, and not only those from before. What is left of a value fails even if its answer had it.",
	Explanation: "Reading a resource after a successful PUT returns the values of the PUT.",
	Fix:         "Store every member of the PUT before you answer, and clear what caches the old ones.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		put := replacer(s)
		if put == nil {
			return nil
		}
		return s.Should("RFC 9110, 9.3.4", "Reading gives the values that %s gave.", put.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPut || !p.Got.Success() {
			return requirement.None
		}
		return stored(p, by, at)
	},
}

// replacer returns the PUT of what an operation reads: a thing, a part of one, or what stands at a fixed
// path. It is nil if there is none, or if that of a part has no body.
func replacer(s *requirement.Subject) *openapi.Operation {
	r, put := s.Resource, s.Setter()
	switch {
	case s.Op == r.Read:
		return r.Replace
	case readsPart(s.Op, r):
		put = r.PartAt(s.Op.Path, http.MethodPut)
	}
	if put == nil || put.Body == nil {
		return nil
	}
	return put
}

// retagged reports whether an operation has a documented ETag and reads what another one replaces or
// patches.
func retagged(s *requirement.Subject) bool {
	return tags(s.Op) && (replacer(s) != nil || s.Op == s.Resource.Read && s.Resource.Patch != nil)
}

var partReplaced = plan.Mutator{
	Name: "part-replaced",
	Doc:  "Makes a thing, replaces a part of it twice and reads the part after each, such as the settings of a user, because a server may keep the first value, or none. What stands at a fixed path, such as the settings of a service, is replaced and read alone.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Method != http.MethodGet {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			put := r.PartAt(s.Op.Path, http.MethodPut)
			if put == nil || put.Body == nil {
				continue
			}
			out = append(out, about(openapi.Slug(put.Slug), judges(storedReplaced, etagChanges, strongETag, putTag), draws, func(g *plan.Gen, draw int) []plan.Step {
				return row(simplest(g, r.Make), with(g, put, draws-1-draw), simplest(g, s.Op), with(g, put, draw), simplest(g, s.Op))
			}))
		}
		if put := s.Setter; put != nil {
			out = append(out, alone(about("fixed", judges(storedReplaced, storedAsSent, etagChanges, strongETag, putTag), draws/2, func(g *plan.Gen, draw int) []plan.Step {
				return row(with(g, put, draws-1-draw), simplest(g, s.Op), with(g, put, draw), simplest(g, s.Op))
			})))
		}
		return out
	},
}
