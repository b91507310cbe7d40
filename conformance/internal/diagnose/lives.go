package diagnose

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/rule"
)

// suppressLives reports one fault in the life of a thing once. If what was made is not
// where its maker says, nothing that names it finds it. If a thing is read after
// its deletion, whatever else names it finds it too. If reading loses a value that the
// thing was made with, it loses the one that replaces it as well.
func (d *Diagnosis) suppressLives(found []Finding) []Finding {
	for at := range d.judge.Bound {
		b := &d.judge.Bound[at]
		if b.Rule.Role != rule.RoleHistory || b.Op.Method != http.MethodGet || !fails(found, at) {
			continue
		}
		for other := range d.judge.Bound {
			o := &d.judge.Bound[other]
			if other == at || !fails(found, other) {
				continue
			}
			sameLife := o.Rule.Role == rule.RoleHistory && (sameDeletion(b, o) || samePages(b, o) || sameLoss(b, o, way(found, at), way(found, other)))
			if sameLife || b.Rule.Name == "created-readable" && d.neverThere(found, at, other) {
				found = d.suppress(found, other, b.ID)
			}
		}
	}
	return found
}

// sameDeletion reports whether a thing that is still there for one requirement explains
// why it is there for another one: it is read itself, and the other request names it, a
// part of it or the list that has it.
func sameDeletion(b, o *judge.Bound) bool {
	if b.Rule.Name != "gone" || o.Args.Kind != b.Args.Kind {
		return false
	}
	above := b.Op.Path[:strings.LastIndexByte(b.Op.Path, '/')]
	return strings.HasPrefix(o.Op.Path, b.Op.Path) || o.Rule.Name == "unlisted" && strings.TrimSuffix(o.Op.Path, "/") == above
}

// neverThere reports whether a thing that cannot be read explains that another operation
// which names it is refused: every answer has the status that reading it has.
func (d *Diagnosis) neverThere(found []Finding, at, other int) bool {
	b, o := &d.judge.Bound[at], &d.judge.Bound[other]
	accepts := o.Rule.Role == rule.RoleAcceptance || o.Rule.Role == rule.RoleCredentialAcceptance
	if rest, about := strings.CutPrefix(o.Op.Path, b.Op.Path); !accepts || !about || rest != "" && rest[0] != '/' {
		return false
	}
	read := statuses(found, at)
	for status := range statuses(found, other) {
		if !read[status] {
			return false
		}
	}
	return true
}

// statuses returns the statuses of the answers with which a requirement fails; -1 stands
// for no answer.
func statuses(found []Finding, at int) map[int]bool {
	out := map[int]bool{}
	for _, f := range found {
		if f.At != at {
			continue
		}
		for _, failure := range f.group.failures {
			if g := failure.Steps[failure.Step].Answer; g != nil {
				out[g.Status] = true
			} else {
				out[-1] = true
			}
		}
	}
	return out
}

// samePages reports whether the pages of a list explain why its total looks wrong.
func samePages(b, o *judge.Bound) bool {
	return o.Op == b.Op && o.Rule.Name == "total" && (b.Rule.Name == "pages-disjoint" || b.Rule.Name == "pages-complete")
}

// sameLoss reports whether two requirements about what reading gives fail in one way.
func sameLoss(b, o *judge.Bound, one, two string) bool {
	return o.Op == b.Op && b.Rule.Name == "stored-created" && one == two
}

// way returns how a requirement fails.
func way(found []Finding, at int) string {
	for i := range found {
		if found[i].At == at && found[i].group != nil {
			return found[i].group.signature
		}
	}
	return ""
}
