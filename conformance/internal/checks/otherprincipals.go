package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var others = plan.Mutator{
	Name: "others",
	Doc:  "Makes a thing and lists, reads, changes or deletes it as another principal, because a server may check who asks and not to whom the thing belongs, or check it too late.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasOther() {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			out = append(out, othersUnlistedClasses(s, r)...)
			if r.ForOthers(s.Op) == nil {
				continue
			}
			out = append(out, othersUnchangedClasses(s, r)...)
			out = append(out, about("named", judges(othersKept), 1, func(g *plan.Gen, _ int) []plan.Step {
				// What its maker reads shows whether the other one names the same thing.
				steps := script(g, r.Make, r.Read)
				if post := fillerOf(r, s.Op); post != nil {
					steps = append(steps, plan.Step{Message: g.Request(post, true), Kind: plan.About, Aside: true, Open: true})
				}
				if r.IsPart(s.Op) && s.Op.Method == http.MethodGet {
					steps = append(steps, plan.Step{Message: simplest(g, s.Op), Kind: plan.About, Aside: true})
				}
				theirs := []plan.Step{use(g, r.Read), use(g, s.Op)}
				if s.Op == r.Read {
					theirs = theirs[1:]
				}
				return append(steps, asOther(theirs)...)
			}))
		}
		return out
	},
}

// fillerOf returns the POST that adds to a list below a resource, or nil. An empty list would
// reveal nothing.
func fillerOf(r *resource.Resource, op *openapi.Operation) *openapi.Operation {
	if op.Method != http.MethodGet || op.Listing == nil || !r.IsPart(op) {
		return nil
	}
	return r.PartAt(op.Path, http.MethodPost)
}

// asOther makes steps requests of the other principal.
func asOther(steps []plan.Step) []plan.Step {
	for _, st := range steps {
		st.Message.Other = true
	}
	return steps
}

// othersUnchangedClasses makes the cases that read a resource after the other principal asked to change
// or delete it.
func othersUnchangedClasses(s *plan.Space, r *resource.Resource) []plan.Class {
	var out []plan.Class
	if s.Op != r.Read {
		return nil
	}
	for _, change := range r.ChangesForOthers() {
		if !change.HasOther() {
			continue
		}
		out = append(out, about(openapi.Slug(change.Slug), judges(othersUnchanged), 1, func(g *plan.Gen, _ int) []plan.Step {
			read := func() plan.Step { return use(g, r.Read) }
			theirs := asOther([]plan.Step{read(), next(g.Request(change, true))})
			return append(append(script(g, r.Make), read()), append(theirs, read())...)
		}))
	}
	return out
}

// othersUnlisted makes the case that lists as the other principal what that one cannot read.
func othersUnlistedClasses(s *plan.Space, r *resource.Resource) []plan.Class {
	if !r.ListsOwned(s.Op) || !r.Read.HasOther() {
		return nil
	}
	l := listOf(s)
	return []plan.Class{alone(about("listed", judges(othersUnlisted), 1, func(g *plan.Gen, _ int) []plan.Step {
		steps := append(row(g.Request(r.Make, true), simplest(g, r.Read)), l.bothEnds(g)...)
		return append(steps, asOther(append([]plan.Step{use(g, r.Read)}, l.bothEnds(g)...))...)
	}))}
}

// othersKept: what one principal made is kept from the others.
var othersKept = requirement.Rule{
	Name:        "others-kept",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "another principal reaches what is not theirs",
	Line:        "visibleTo",
	Doc:         "A request of another principal about what an accepted request made is no success. A request about a part of the thing is judged if reading the thing was refused. What can be read without a credential is judged if the document lists 403. A success that shows nothing of the thing is not judged, nor is 202, or a refusal for another reason.",
	Explanation: "With the credential of --auth-other, a request about what the usual credential created does not succeed.",
	Fix:         "Look up a resource together with its owner, and answer 403 or 404 if it belongs to somebody else.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed, can := s.Resource.ForOthers(s.Op), "change"
		switch {
		case listed == nil:
			return nil
		case s.Op == s.Resource.Read, s.Op == s.Resource.Head:
			can = "read"
		case s.Op == s.Resource.Delete:
			can = "delete"
		case s.Resource.IsPart(s.Op):
			can = "call " + s.Op.Name() + " for"
		}
		// If the document lists only 404, that may be for resources that are not there.
		return s.Row(requirement.MustIf(s.Op.Lists(http.StatusForbidden) != nil), listed.Pointer, "RFC 9110, 15.5.4", "Another principal cannot %s what %s made.", can, s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		refusals := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Got == nil:
			return requirement.None
		case p.Got.Success() && (p.Got.Status == http.StatusAccepted || !betrays(p, made)):
			return requirement.None
		case !p.Got.Success() && !slices.Contains(refusals, p.Got.Status):
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "403 or 404, because another principal made it with "+made.Op.Name())
	},
}

// betrays reports whether a success is about the resource that the other principal must not
// get at. A part counts where the resource itself is kept from that principal.
func betrays(p *requirement.Input, made *requirement.TraceStep) bool {
	read := p.Last(http.MethodGet)
	part := read != nil && p.Op != read.Op && strings.HasPrefix(p.Op.Path, strings.TrimSuffix(read.Op.Path, "/")+"/")
	switch {
	case part && read.Got.Success():
		return false
	case read != nil && read.Op != p.Op && read.Got.Success() && !read.Op.Secured() && p.Op.Lists(http.StatusForbidden) == nil:
		return false // what can be read without a credential may have no owner
	case p.Op.Method == http.MethodHead:
		return read != nil && !read.Got.Success() // HEAD says less than GET, which decides
	case p.Op.Method != http.MethodGet:
		return true
	case part:
		return told(p)
	}
	return shows(p, made)
}

// told reports whether an answer about a part has a text and is the one that the maker of the
// thing got.
func told(p *requirement.Input) bool {
	i := slices.IndexFunc(p.History, func(e requirement.TraceStep) bool { return e.Op == p.Op })
	is := p.Got.Reading.Root()
	if i < 0 || is == nil || !jsontree.Equal(is, answerOf(&p.History[i])) {
		return false
	}
	found := false
	is.Walk(func(_ string, v *jsontree.Value) {
		found = found || v.Kind == jsontree.String && len(v.Text) >= minText
	})
	return found
}

// shows reports whether an answer has a text that the resource was made with, or is all that
// its maker read of it. A thing may have the same key for each principal.
func shows(p *requirement.Input, made *requirement.TraceStep) bool {
	is := p.Got.Reading.Root()
	if is == nil {
		return false
	}
	if made.Sent.Body != nil {
		sent := made.Sent.Body.Root()
		in := unwrapped(is, sent)
		for _, m := range message.Values(made.Op, sent) {
			if v := in.Get(m.Name); v != nil && m.Value.Kind == jsontree.String && len(m.Value.Text) >= minText && kept(m.Value, v) {
				return true
			}
		}
	}
	before := p.Last(http.MethodGet)
	return before != nil && before.Got.Reading.Root() != nil && jsontree.Equal(before.Got.Reading.Root(), is)
}

// othersUnchanged: what another principal is refused to change stays as it was.
var othersUnchanged = requirement.Rule{
	Name:        "others-unchanged",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "another principal changes what is not theirs",
	Line:        "visibleTo",
	Doc:         "Reading a thing after a refused change of another principal finds it, and with no value that this request sent. The principal that made it has read it before. What has only few values may have changed by itself.",
	Explanation: "A PUT, PATCH or DELETE with the credential of --auth-other that is refused changes nothing of what the usual credential created.",
	Fix:         "Check to whom a resource belongs before you change it, not when you write the answer.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		r := s.Resource
		if s.Op != r.Read || r.ForOthers(s.Op) == nil || len(r.ChangesForOthers()) == 0 {
			return nil
		}
		changes := r.ChangesForOthers()
		// A MUST if the document lists 403 for one of them.
		level, at := report.Should, r.ForOthers(changes[0]).Pointer
		for _, op := range changes {
			if listed := op.Lists(http.StatusForbidden); listed != nil && level != report.Must {
				level, at = report.Must, listed.Pointer
			}
		}
		return s.Row(level, at, "RFC 9110, 15.5.4", "What another principal is refused to change stays as %s made it.", r.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if at < 1 || !by.Got.Refusal() || by.Got.Status == http.StatusRequestTimeout {
			return requirement.None
		}
		was := lastRead(p, 0, at)
		if was == nil || by.Key == nil {
			return requirement.None
		}
		want := "what it was before another principal was refused " + by.Op.Name()
		switch {
		case p.Got.Missing():
			return verdictOf(false, p, want)
		case !p.Got.Success():
			return requirement.None
		}
		is := resourceIn(p, p.Got.Reading.Root())
		if by.Op.Method == http.MethodDelete {
			if nowDeleted(was, is) {
				return requirement.Failed("marked", want, "one that is marked as deleted")
			}
			return requirement.Passed
		}
		return tookOver(p, by, was, is, want)
	},
}

// nowDeleted reports whether a resource says that it is deleted, and did not say so before.
func nowDeleted(was, is *jsontree.Value) bool {
	return is != nil && slices.ContainsFunc(is.Members, func(m jsontree.Member) bool {
		no := m.Value.Kind == jsontree.Null || m.Value.Kind == jsontree.Bool && !m.Value.Bool
		return strings.Contains(strings.ToLower(m.Name), "delete") && !no && !jsontree.Equal(was.Get(m.Name), m.Value)
	})
}

// tookOver judges whether a resource has values that a refused request sent.
func tookOver(p *requirement.Input, by *requirement.TraceStep, was, is *jsontree.Value, want string) requirement.Outcome {
	if is == nil || by.Sent.Body == nil || by.Sent.Body.Kind >= schema.Invalid || by.Sent.Body.Root() == nil {
		return requirement.None
	}
	compared := false
	for _, m := range by.Sent.Body.Root().Members {
		old, now := was.Get(m.Name), is.Get(m.Name)
		q := propertyOf(p, m.Name)
		few := m.Value.Kind == jsontree.Bool || m.Value.Kind == jsontree.Null || q != nil && q.Schema.Enum != nil
		if few || now == nil || secret(m.Name) || old != nil && kept(m.Value, old) {
			continue
		}
		if kept(m.Value, now) {
			return requirement.Failed("changed "+m.Name, want, m.Name+" "+shown(p, now)+", as that request has it")
		}
		compared = true
	}
	if !compared {
		return requirement.None
	}
	return requirement.Passed
}

// othersUnlisted: a list shows nobody what reading refuses.
var othersUnlisted = requirement.Rule{
	Name:        "others-unlisted",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "a list shows another principal what is not theirs",
	Line:        "visibleTo",
	Doc:         "The list that another principal gets does not tell all that a thing was made with, if reading the thing is refused to that principal, and if the list that the maker gets has it. A list may tell a part of it: there are directories of what not everybody may read. A full page is not judged.",
	Explanation: "With the credential of --auth-other, a list does not show the values of what the usual credential created, if reading it by its key is refused.",
	Fix:         "Apply the owner to the query of the list, as you do for one resource.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !s.Resource.ListsOwned(s.Op) {
			return nil
		}
		at := s.Op.Pointer + "/responses"
		if listed := s.Resource.ForOthers(s.Resource.Read); listed != nil {
			at = listed.Pointer
		}
		return s.Row(report.Should, at, "RFC 9110, 15.5.4", "The list shows nobody what %s refuses to show.", s.Resource.Read.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		pages, made := listings(p), p.Made()
		if pages == nil || made == nil || made.Sent.Body == nil || made.Sent.Body.Root() == nil {
			return requirement.None
		}
		read := readsOf(p, 0, len(p.History))
		if read == nil {
			return requirement.None
		}
		mine, key := refusedAfter(p, read), read.Key.Text
		if mine < 0 || !slices.ContainsFunc(pages[:mine], func(l listing) bool { return slices.Contains(l.keys, key) }) {
			return requirement.None
		}
		whole := false
		for _, theirs := range pages[mine:] {
			i := slices.Index(theirs.keys, key)
			if i >= 0 && tellsAll(p, made, read, theirs.items[i]) {
				return requirement.Failed("listed", "a list without what another principal made with "+made.Op.Name()+", because "+read.Op.Name()+" is refused", "all of it in "+describe(p))
			}
			whole = whole || i >= 0 || theirs.limit() == 0 || int64(len(theirs.items)) < theirs.limit()
		}
		if !whole {
			return requirement.None
		}
		return requirement.Passed
	},
}

// refusedAfter returns how many lists were read before the last request that reads the resource,
// or -1 if that was not refused after another one had been accepted.
func refusedAfter(p *requirement.Input, read *requirement.TraceStep) int {
	lists := 0
	for i := range p.History {
		if p.History[i].Op == p.Op {
			lists++
		}
	}
	for i := len(p.History) - 1; i >= 0; i-- {
		switch e := &p.History[i]; {
		case e.Op == p.Op:
			lists--
		case e.Op == read.Op && e != read && (e.Got.Status == http.StatusForbidden || e.Got.Status == http.StatusNotFound):
			return lists
		case e.Op == read.Op:
			return -1
		}
	}
	return -1
}

// tellsAll reports whether an item has all values that the resource was made with and that its
// maker reads, and among them a text that no other thing has.
func tellsAll(p *requirement.Input, made, read *requirement.TraceStep, item *jsontree.Value) bool {
	text, sent := false, made.Sent.Body.Root()
	in := resourceIn(p, answerOf(read))
	for _, m := range message.Values(made.Op, sent) {
		is := in.Get(m.Name)
		if is == nil || secret(m.Name) || !kept(m.Value, is) {
			continue
		}
		if v := item.Get(m.Name); v == nil || !kept(is, v) {
			return false
		}
		text = text || m.Value.Kind == jsontree.String && len(m.Value.Text) >= minText
	}
	return text
}
