package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is one root cause as a maintainer would file it: failures that are alike.
type Finding struct {
	// ID is that of the kind of fault, and behind a dash that of its place, if it has only one:
	// 3f2a91c4-07be55. It depends on no seed, no value and no number of failures. See Kin.
	ID       string   `json:"id"`
	Category Category `json:"category"`
	Level    Level    `json:"level"` // the most binding one of its requirements
	// Sentence says what is wrong, and where.
	Sentence string `json:"sentence"`
	// Places is how many requirements fail alike, of Of that were judged; Of is zero if that
	// is not known.
	Places       int      `json:"places"`
	Of           int      `json:"of,omitzero"`
	Operations   []string `json:"operations,omitempty"`
	Requirements []string `json:"requirements"`
	// Example is the number of the failure that tells most; zero if there is none.
	Example int `json:"example,omitzero"`
	// Members are the failures, the example first.
	Members []Member `json:"members,omitempty"`
	Cause   string   `json:"cause,omitempty"`
	// Replay sends the example again.
	Replay string `json:"replay,omitempty"`
	// Known says that the file of known failures has all of it.
	Known bool `json:"known,omitzero"`
}

// Member is one failure of a finding, in a line.
type Member struct {
	N           int    `json:"n,omitzero"`
	Requirement string `json:"requirement"`
	Operation   string `json:"operation,omitempty"`
	Sent        string `json:"sent,omitempty"`
	Got         string `json:"got,omitempty"`
}

// Findings joins the failures of results that have one cause, the worst first. It depends on
// the results alone, and not on their order.
func Findings(results []Result) []Finding {
	m := merger{operations: map[string]string{}}
	for i := range results {
		r := &results[i]
		m.operations[r.Requirement] = r.Operation
		if r.Verdict != Fail {
			continue
		}
		if len(r.Failures) == 0 {
			m.list = append(m.list, &failing{result: r, failure: &Failure{}})
		}
		for k := range r.Failures {
			m.list = append(m.list, &failing{result: r, failure: &r.Failures[k]})
		}
	}
	slices.SortFunc(m.list, compareFailing)
	groups := m.joined()
	list := make([]Finding, len(groups))
	order := make([]int, len(groups))
	for i, group := range groups {
		list[i], order[i] = m.finding(group), i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(slices.Index(Categories(), list[a].Category), slices.Index(Categories(), list[b].Category)),
			cmp.Compare(truth(mild(groups[a])), truth(mild(groups[b]))), cmp.Compare(rarity(groups[a]), rarity(groups[b])), compareFindings(&list[a], &list[b]))
	})
	out := make([]Finding, len(order))
	seen := map[string]bool{}
	for i, at := range order {
		f := list[at]
		if key := fmt.Sprint(f.Known) + f.ID; seen[key] { // failures at several places that are joined in another way
			f.ID += "-" + digest(strings.Join(f.Requirements, "|"), 3)
		}
		seen[fmt.Sprint(f.Known)+f.ID] = true
		out[i] = f
	}
	return out
}

// Accept marks the failures whose findings a file of known failures has, and the requirements of
// which all failures are marked. Entry returns that of an id, or nil: the id of a finding, of the
// kind of fault that a failure shows, or of that at its own place.
func Accept(results []Result, entry func(id string) *Known) {
	of := map[int]string{}
	for _, f := range Findings(results) {
		for _, m := range f.Members {
			of[m.N] = f.ID
		}
	}
	for i := range results {
		r := &results[i]
		all := r.Verdict == Fail && len(r.Failures) > 0
		for k := range r.Failures {
			x := &r.Failures[k]
			kind, full := ids(&failing{result: r, failure: x})
			x.Known = cmp.Or(entry(of[x.N]), entry(full), entry(kind))
			all = all && x.Known != nil
		}
		if all && r.Known == nil {
			r.Known = r.Failures[0].Known
		}
	}
}

// mild reports whether failures are what many programs accept on purpose: null as nothing, no
// body as an empty one, text behind JSON.
func mild(group []*failing) bool {
	return !slices.ContainsFunc(group, func(f *failing) bool {
		x := f.flaw()
		return !x.Mild && x.Kind != "type/null"
	})
}

// rarity orders crashes: first a target that does not come back, then crashes by valid values, by other
// requests, and last those by an unusual way of sending, or by many requests at the same time.
func rarity(group []*failing) int {
	least := 3
	for _, f := range group {
		x := f.flaw()
		switch request := requestOf(x); {
		case f.category() != Crash, formOf(x) == "unreachable":
			return 0
		case ordinary(x), request == "value":
			least = min(least, 1)
		case request != "sent" && request != NowAndThen:
			least = min(least, 2)
		}
	}
	return least
}

// failing is one failure of a requirement.
type failing struct {
	result  *Result
	failure *Failure
}

func (f *failing) flaw() *Flaw { return &f.failure.Flaw }

// known reports whether the file of known failures has the requirement, or what the failure shows.
func (f *failing) known() bool { return f.result.Known != nil || f.failure.Known != nil }

// category is that of the flaw; reports of older versions have none.
func (f *failing) category() Category {
	switch {
	case f.flaw().Category != "":
		return f.flaw().Category
	case f.result.Level == Suspected:
		return Guessed
	case f.result.Level != Must:
		return Protocol
	}
	return Answer
}

// compareFailing puts first what tells most: MUST before SHOULD, what came again, a small
// example, then the order of the report.
func compareFailing(a, b *failing) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Levels(), a.result.Level), slices.Index(Levels(), b.result.Level)),
		cmp.Compare(truth(!a.failure.Stable), truth(!b.failure.Stable)),
		cmp.Compare(truth(!a.failure.Minimal), truth(!b.failure.Minimal)),
		cmp.Compare(len(a.failure.Steps), len(b.failure.Steps)),
		cmp.Compare(len(a.failure.Sent), len(b.failure.Sent)),
		cmp.Compare(a.failure.N, b.failure.N),
		strings.Compare(a.result.Requirement, b.result.Requirement),
		strings.Compare(a.failure.Sent+a.failure.Got+a.failure.Case, b.failure.Sent+b.failure.Got+b.failure.Case),
		strings.Compare(a.flaw().Kind, b.flaw().Kind))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// merger joins failures by the evidence that they share.
type merger struct {
	list       []*failing
	operations map[string]string // of each requirement
}

// joined returns the groups of failures with one cause.
func (m *merger) joined() [][]*failing {
	groups := newGroups(len(m.list))
	broken := m.broken()
	everywhere := m.everywhere()
	instead := m.crashesInstead()
	for i, f := range m.list {
		keys := evidence(f, everywhere, broken)
		for _, at := range f.flaw().Unrefused {
			if key := unrefusedAt(f, at); instead[key] {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			groups.add(fmt.Sprint(f.known())+key, i)
		}
	}
	return m.samePlaces(grouped(groups, m.list))
}

// samePlaces joins groups about one place in a program that are told apart only by the values
// that were tried: null and numbers where texts are documented, no credential and a wrong one.
func (m *merger) samePlaces(groups [][]*failing) [][]*failing {
	join := newGroups(len(groups))
	for i, a := range groups {
		for k, b := range groups[:i] {
			if family(a[0]) != family(b[0]) || a[0].known() != b[0].known() {
				continue
			}
			if convertible(a[0]) && convertible(b[0]) && (m.overlap(a, b) || m.coerced(a, b)) || unread(a, b) || unread(b, a) {
				join.join(i, k)
			}
		}
	}
	var out [][]*failing
	for _, parts := range grouped(join, groups) {
		var all []*failing
		for _, p := range parts {
			all = append(all, p...)
		}
		slices.SortFunc(all, compareFailing)
		if slices.ContainsFunc(all, convertible) { // the sentence is about the type
			slices.SortStableFunc(all, func(a, b *failing) int { return cmp.Compare(truth(!convertible(a)), truth(!convertible(b))) })
		}
		out = append(out, all)
	}
	return out
}

// unread reports whether the first group tells of texts that are taken for numbers outside the body,
// and the second of numbers out of range at the same places: the server takes whatever it cannot read.
func unread(a, b []*failing) bool {
	if f := a[0]; f.category() != Leniency || f.flaw().Kind != "type/converted" && f.flaw().Kind != "type/fraction" || part(f.flaw()) == "body" {
		return false
	}
	texts := map[string]bool{}
	for _, f := range a {
		texts[f.schema()] = true
	}
	return !slices.ContainsFunc(b, func(f *failing) bool { return !strings.HasPrefix(f.flaw().Kind, "format/int") || !texts[f.schema()] })
}

// schema is the place of the schema whose keyword fails, and the operation.
func (f *failing) schema() string {
	return f.result.Operation + " " + f.result.Clause[:max(0, strings.LastIndexByte(f.result.Clause, '/'))]
}

// convertible reports whether other failures may be about the same place, with other values.
func convertible(f *failing) bool {
	c := f.category()
	return f.flaw().Tells == TellsCredential || c != Crash && c != Refusal && strings.HasPrefix(f.flaw().Kind, "type/")
}

// family returns the key that such failures share.
func family(f *failing) string {
	x := f.flaw()
	return strings.Join([]string{string(f.category()), x.Rule, part(x)}, "|")
}

// overlap reports whether most places of both groups are the same.
func (m *merger) overlap(a, b []*failing) bool {
	one, two := m.placesIn(a), m.placesIn(b)
	both := common(one, two)
	return 2*both >= len(one)+len(two)-both
}

// coerced reports whether one conversion takes what both groups tell: most places of integers that
// take a fraction also take a value of another type. Other places cannot take a fraction.
func (m *merger) coerced(a, b []*failing) bool {
	for _, pair := range [][2][]*failing{{a, b}, {b, a}} {
		if pair[0][0].flaw().Kind == "type/fraction" && pair[1][0].flaw().Kind == "type/converted" {
			fractions, converted := m.placesIn(pair[0]), m.placesIn(pair[1])
			return 2*common(fractions, converted) > len(fractions)
		}
	}
	return false
}

// common counts the places that are in both.
func common(a, b map[string]bool) int {
	n := 0
	for at := range a {
		n += truth(b[at])
	}
	return n
}

func (m *merger) placesIn(group []*failing) map[string]bool {
	out := map[string]bool{}
	for _, f := range group {
		for _, at := range m.placesOf(f) {
			out[at] = true
		}
	}
	return out
}

// placesOf are the places of a failure: the requirement, or the operations if it is about
// credentials.
func (m *merger) placesOf(f *failing) []string {
	if f.flaw().Tells != TellsCredential {
		return []string{f.result.Requirement}
	}
	return m.operationsOf(f)
}

// operationsOf are the operations of a failure, and of those that fail alike.
func (m *merger) operationsOf(f *failing) []string {
	out := []string{f.result.Operation}
	for _, id := range f.flaw().Also {
		out = append(out, m.operations[id])
	}
	return slices.DeleteFunc(out, func(op string) bool { return op == "" })
}

// groups joins the items of a list that share a key.
type groups struct {
	parent []int
	first  map[string]int
}

func newGroups(n int) *groups {
	g := &groups{first: map[string]int{}}
	for i := range n {
		g.parent = append(g.parent, i)
	}
	return g
}

func (g *groups) root(i int) int {
	for g.parent[i] != i {
		i = g.parent[i]
	}
	return i
}

// join makes one group of two. The item that comes first stays the root.
func (g *groups) join(a, b int) {
	a, b = g.root(a), g.root(b)
	g.parent[max(a, b)] = min(a, b)
}

func (g *groups) add(key string, i int) {
	if first, found := g.first[key]; found {
		g.join(first, i)
		return
	}
	g.first[key] = i
}

// grouped returns the items of a list by group. Groups and their items keep the order of the list.
func grouped[T any](g *groups, list []T) [][]T {
	at := map[int]int{}
	var out [][]T
	for i, x := range list {
		root := g.root(i)
		k, found := at[root]
		if !found {
			k = len(out)
			at[root], out = k, append(out, nil)
		}
		out[k] = append(out[k], x)
	}
	return out
}
