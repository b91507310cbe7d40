package conformance

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// reached says how many operations of the document were tried with an accepted request, and their
// answers judged, all but those that the user excluded, and why the others were not.
func (s *setup) reached(t *explore.Target) *report.Reached {
	out := &report.Reached{Ended: t.Ended}
	for _, w := range t.Ways() {
		out.Ways = append(out.Ways, w.String())
	}
	if s.selected == nil {
		out.Aside = len(s.contract.Omitted) - len(s.omitted)
	}
	for _, o := range s.omitted {
		out.Operations++
		add(out, o.Title(), s.without(o))
	}
	for _, op := range s.contract.Operations {
		switch {
		case s.aside[op]:
			out.Aside++
			continue
		case !s.wanted(op):
			continue
		case slices.ContainsFunc(op.Rows(), func(row *openapi.Operation) bool { return t.Facts.Of(row).Accepted }):
			if op.Fault != "" {
				add(out, op.Title(), faulty(op.Fault)) // some of its answers could not be judged
				break
			}
			out.Reached++
		default:
			add(out, op.Title(), s.unaccepted(op, t.Facts.Of(op)))
		}
		out.Operations++
	}
	slices.SortStableFunc(out.Untried, func(a, b report.Untried) int { return cmp.Compare(len(b.Operations), len(a.Operations)) })
	return out
}

// add puts an operation to those that were not tried for the same reason.
func add(to *report.Reached, operation string, why report.Untried) {
	i := slices.IndexFunc(to.Untried, func(u report.Untried) bool {
		return u.Why == why.Why && u.Help == why.Help && u.Unsupported == why.Unsupported
	})
	if i < 0 {
		i = len(to.Untried)
		to.Untried = append(to.Untried, why)
	}
	to.Untried[i].Operations = append(to.Untried[i].Operations, operation)
}

// without says why an operation is left out of the plan.
func (s *setup) without(o openapi.Omitted) report.Untried {
	switch {
	case o.Fault != "":
		return faulty(o.Fault)
	case len(o.Lacks) == 0:
		return report.Untried{Why: o.Why, Unsupported: true}
	}
	return report.Untried{Why: "need a credential for " + names(o.Lacks), Help: "give " + credentialFlags(o.Lacks)}
}

// faulty says that the document has a fault, and where.
func faulty(fault string) report.Untried {
	if _, help, outside := strings.Cut(fault, " leaves the document: "); outside {
		return report.Untried{Why: "refer to what is outside the document", Help: help} // the same for all that do
	}
	return report.Untried{Why: "have a fault in the document", Help: fault}
}

// unaccepted says why no request of an operation was accepted.
func (s *setup) unaccepted(op *openapi.Operation, f *explore.OpFacts) report.Untried {
	switch {
	case f.Unknown, explore.Unauthorised(f.Status) && !op.SignsIn():
		return s.unauthorised(op, f.Status)
	case f.Unreached == explore.NoTime:
		return report.Untried{Why: "were not reached in the time of the pre-flight", Help: f.Help}
	case f.Unreached == explore.StillComing, f.Refused == explore.StillComing:
		return report.Untried{Why: "were still answering when the time was up", Help: "allow more with --timeout, or leave them out with --exclude"}
	case f.Help == explore.NothingToName && f.Status < http.StatusInternalServerError:
		return report.Untried{Why: refusing(f), Help: f.Help}
	case f.Unreached != "" && f.Status >= 400 && f.Status < http.StatusInternalServerError && f.Status != http.StatusNotFound && f.Status != http.StatusGone:
		return report.Untried{Why: refusing(f), Help: "name values that it accepts with --value or --values (see conformance reach)"}
	case f.Unreached != "" && f.Unreached != explore.NoConnection && f.Help != explore.SeeLog:
		return report.Untried{Why: "need a value that exists", Help: "name it with --value or --values (see conformance reach)"}
	}
	if f.Status == http.StatusServiceUnavailable || f.Status == http.StatusNotImplemented {
		return report.Untried{Why: fmt.Sprintf("answer valid requests with %d", f.Status), Help: "start what is missing, or leave out what this target does not have with --exclude"}
	}
	return report.Untried{Why: "get no accepted request"}
}

// refusing says that an operation refuses its baseline request, with the words of the target.
func refusing(f *explore.OpFacts) string {
	out := fmt.Sprintf("refuse valid requests with %d", f.Status)
	if f.Said != "" {
		out += ", " + strconv.Quote(jsontree.Cut(f.Said, maxSaid))
	}
	return out
}

// maxSaid is how much of the words of a target stands in a reason.
const maxSaid = 80

// unauthorised says why requests of an operation are refused for want of a right credential.
func (s *setup) unauthorised(op *openapi.Operation, status int) report.Untried {
	switch {
	case op.Header != "":
		return report.Untried{Why: fmt.Sprintf("refuse the credential in header %s with %d", op.Header, status), Help: "give another one with --header"}
	case op.Undefined:
		return report.Untried{Why: "want a credential that the document does not define", Help: s.asking()}
	case len(op.Security) == 0 || len(op.Security[op.Chosen]) == 0:
		return report.Untried{Why: "want a credential that the document does not ask for", Help: s.asking()}
	}
	list := op.Security[op.Chosen]
	return report.Untried{Why: fmt.Sprintf("refuse the credential for %s with %d", names(list), status), Help: "give one that is accepted: " + credentialFlags(list)}
}

// asking names the flags that send a credential which the document does not ask for.
func (s *setup) asking() string {
	switch given := s.contract.Always(s.config.given); {
	case len(given) > 0:
		return "add --auth-always"
	case len(s.contract.SchemeNames) > 0:
		return "give --auth-always --auth " + shellWord(s.contract.SchemeNames[0]) + "=VALUE"
	}
	return "give --header 'Authorization: Bearer VALUE'"
}

func names(list []*openapi.Scheme) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name)
	}
	return strings.Join(out, " and ")
}

// credentialFlags are the flags that give the credentials of schemes.
func credentialFlags(list []*openapi.Scheme) string {
	var out []string
	for _, s := range list {
		switch {
		case s.Certificate():
			out = append(out, "--cert FILE --key FILE")
		case s.Header != "":
			out = append(out, "--header '"+s.Header+": VALUE'")
		default:
			out = append(out, "--auth "+shellWord(s.Name)+"=VALUE")
		}
	}
	return strings.Join(out, " ")
}

// wanted reports whether a requirement of an operation is selected.
func (s *setup) wanted(op *openapi.Operation) bool {
	return s.selected == nil || slices.ContainsFunc(s.set.List, func(r *requirement.Requirement) bool {
		return r.Op != nil && r.Op.First() == op && s.selected[r.ID]
	})
}

// selectOmitted applies a selection of requirements and cases to the operations that are left out
// of the plan, and tells of patterns that are about these alone.
func (s *setup) selectOmitted(sel *plan.Selection) {
	only := map[string]openapi.Omitted{}
	s.omitted = slices.DeleteFunc(slices.Clone(s.omitted), func(o openapi.Omitted) bool {
		ids := s.idsOf(o)
		var cases []string
		for _, f := range plan.Families() {
			cases = append(cases, o.Slug+"/"+string(f)+"/")
		}
		for _, p := range slices.Concat(sel.Only, sel.Skip) {
			if strings.HasPrefix(p, o.Slug+"/") || slices.ContainsFunc(append(ids, cases...), func(name string) bool { return plan.Match(p, name) }) {
				sel.Use(p)
				if _, found := only[p]; !found {
					only[p] = o
				}
			}
		}
		if len(ids) == 0 {
			return len(sel.Only) > 0
		}
		return !slices.ContainsFunc(append(ids, cases...), func(name string) bool { return sel.Keeps([]string{name}) })
	})
	for _, p := range slices.Concat(sel.Only, sel.Skip) {
		o, found := only[p]
		if found && s.config.Warn != nil && !slices.ContainsFunc(s.names(), func(name string) bool { return plan.Match(p, name) }) {
			s.config.Warn(fmt.Sprintf("pattern %q matches only operations that are left out: %s", p, s.whyOmitted(o)))
		}
	}
}

// whyOmitted says why an operation is left out, and what the user can do.
func (s *setup) whyOmitted(o openapi.Omitted) string {
	why := s.without(o)
	if why.Help == "" {
		return o.Title() + ": " + why.Why
	}
	return o.Title() + " " + why.Of(1) + ": " + why.Help
}

// idsOf lists the requirements of an operation that is left out for want of a credential.
func (s *setup) idsOf(o openapi.Omitted) []string {
	if len(o.Lacks) == 0 {
		return nil
	}
	alone := *s.contract
	alone.Operations = []*openapi.Operation{o.Operation}
	return requirement.Derive(&alone, s.rules).IDs()
}

// untried says that operations were not tried although the user can do something about it,
// or because all are required. It is empty if there are none, and if the only one is not tried
// for another reason of the run.
func untried(r *report.Report, s report.Summary) string {
	left := s.Operations - s.Tried
	if !r.Header.RequireAll {
		left -= s.Unsupported
	}
	if left == 0 || s.Operations == 1 && len(s.Reasons) > 0 || r.Reach.Ended != "" {
		return ""
	}
	text, told, helpless := fmt.Sprintf("%d of %d operations tried", s.Tried, s.Operations), 0, 0
	for _, u := range r.Reach.Untried {
		switch {
		case u.Unsupported:
		case u.Help == "":
			helpless += len(u.Operations)
		case told < maxTold:
			told++
			text += fmt.Sprintf("; %d %s: %s", len(u.Operations), u.Of(len(u.Operations)), u.Help)
		}
	}
	if left == helpless && s.Failed+s.Known > 0 {
		return "" // the failures say why
	}
	if s.Unsupported > 0 {
		text += fmt.Sprintf("; %d could not be tried by this version", s.Unsupported)
	}
	return text
}

// maxTold is how many reasons a line has why operations were not tried.
const maxTold = 3

// Warnings returns warnings about a configuration, one line each. They contain no
// values. A secret with fewer than 8 characters cannot be redacted safely, because
// other text contains it by chance.
func Warnings(c Config) []string {
	var out []string
	if n := len(c.Token); n > 0 && n < redact.Safely {
		out = append(out, fmt.Sprintf("the token has fewer than %d characters, so it cannot be redacted safely: use a longer one if others read the report", redact.Safely))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Auth)) {
		if len(c.Auth[name]) < redact.Safely {
			out = append(out, fmt.Sprintf("the credential of %s has fewer than %d characters, so it cannot be redacted safely", name, redact.Safely))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.AuthOther)) {
		if len(c.AuthOther[name]) < redact.Safely {
			out = append(out, fmt.Sprintf("the other credential of %s has fewer than %d characters, so it cannot be redacted safely", name, redact.Safely))
		}
	}
	for _, h := range c.Headers {
		name, value, _ := strings.Cut(h, ":")
		if !SecretHeader(name) {
			continue
		}
		for _, s := range redact.Field(strings.TrimSpace(name), strings.TrimSpace(value)) {
			if len(s.Value) < redact.Safely {
				out = append(out, fmt.Sprintf("header %s looks like a secret and has fewer than %d characters, so it cannot be redacted safely", strings.TrimSpace(name), redact.Safely))
				break
			}
		}
	}
	return out
}

// SecretHeader reports whether the value of a header with that name is taken for a
// secret, and redacted.
func SecretHeader(name string) bool { return redact.Header(strings.TrimSpace(name)) }

// logins names the user and the password of basic authentication as the values of every
// operation without credentials that requires both and lists 401, unless the user of the suite
// names others. Each is written as [requirement.NameValues] reads it.
func (s *setup) logins() []string {
	user, password := s.basicUser()
	if user == "" || password == "" {
		return nil
	}
	var out []string
	for _, op := range s.contract.Operations {
		if len(op.Security) > 0 && !op.Unasked || op.Method != "POST" || op.Body == nil || op.Response(401) == nil {
			continue
		}
		name, secret := required(op, hints.User), required(op, hints.Password)
		if name == nil || secret == nil || hints.Flat(name.Name) == "email" && !strings.Contains(user, "@") || s.valued(name.Name) || s.valued(secret.Name) {
			continue
		}
		out = append(out, op.Slug+":"+name.Path+"="+user, op.Slug+":"+secret.Path+"="+password)
	}
	return out
}

// basicUser returns the user and the password of the first scheme of basic authentication
// whose credential is given.
func (s *setup) basicUser() (user, password string) {
	for _, op := range s.contract.Operations {
		for _, alternative := range op.Security {
			for _, scheme := range alternative {
				if scheme.HTTP == "basic" && s.config.Auth[scheme.Name] != "" {
					user, password, _ = strings.Cut(s.config.Auth[scheme.Name], ":")
					return user, password
				}
			}
		}
	}
	return "", ""
}

// required returns the required text in the body of an operation whose name has a meaning.
func required(op *openapi.Operation, of hints.Meaning) *openapi.Member {
	for _, m := range op.Members() {
		if m.Required && strings.LastIndexByte(m.Path, '/') == 0 && m.Schema.Type() == "string" && m.Schema.Enum == nil && hints.Called(m.Name, of) {
			return &m
		}
	}
	return nil
}

// valued reports whether the user names a value of a member.
func (s *setup) valued(member string) bool {
	return strings.Contains(string(s.config.ValuesFile), member) ||
		slices.ContainsFunc(s.config.Values, func(text string) bool { return strings.Contains(text, "/"+member+"=") })
}
