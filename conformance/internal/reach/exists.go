package reach

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
)

// mustExist reports whether a member may have to name something that exists: a path
// parameter that is no choice, what is named like the key of another resource, and a
// required parameter that a link gives or that is named like such a key.
func (m *Map) mustExist(op *contract.Operation, member contract.Member) bool {
	s := member.Schema
	if s.Enum != nil || s.Const != nil || s.ReadOnly || s.Never || chosen(op, member.Path) {
		return false
	}
	switch s.Type() {
	case "boolean", "object", "array", "null":
		return false
	}
	in, _, _ := strings.Cut(member.Path, "/")
	switch in {
	case "path":
		return !contract.Ordinary(s)
	case "":
		return (member.Refers("") != "" || m.looked(op, member) || m.listed(op, member)) && !contract.Ordinary(s) || m.state(op, member) != nil
	}
	names := contract.RefersAt(in, member.Name) != "" && !contract.Ordinary(s)
	return contract.IfMatch(member.Path) || member.Required && (names || len(m.linked(op, member.Path)) > 0)
}

// looked reports whether the server may look up what a required member of the body names: the
// member has the name of another resource's key, and a status for what is not found is listed,
// which is not about a key of the path. A name alone may be that of the thing that is made.
func (m *Map) looked(op *contract.Operation, member contract.Member) bool {
	statuses := unfound
	if slices.Contains(ownNames, contract.Flat(member.Name)) {
		statuses = statuses[:1]
	}
	return member.Required && len(contract.Expressions(op.Path)) == 0 && slices.ContainsFunc(statuses, func(status int) bool { return op.Lists(status) != nil }) &&
		(len(m.keyed(op, member)) > 0 || m.scopes(op, member))
}

// scopes reports whether paths of other resources have a key of the same name before others: a
// project that no operation makes has flags.
func (m *Map) scopes(op *contract.Operation, member contract.Member) bool {
	return !contract.IsKey(member.Name) && slices.ContainsFunc(m.ops, func(o *contract.Operation) bool {
		collection, item := before(o.Path, member.Name)
		return item != "" && item != o.Path && !strings.HasPrefix(op.Path, collection)
	})
}

// ownNames are names of keys that things of every kind have, besides those that IsKey knows.
var ownNames = []string{"name", "number", "key", "slug", "code", "handle", "username", "email"}

// listed reports whether the items of a list are named like the things of another resource, such
// as roles, and the server may look them up.
func (m *Map) listed(op *contract.Operation, member contract.Member) bool {
	things := m.of[contract.One(member.Name)]
	return strings.HasSuffix(member.Path, "/*") && slices.ContainsFunc(unfound[1:], func(status int) bool { return op.Lists(status) != nil }) &&
		slices.ContainsFunc(things, hasItem) && !slices.Contains(things, op.First())
}

// unfound are the statuses of a request whose body names what does not exist.
var unfound = []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}

// free reports whether a member that is looked up may also be new: only a conflict, which
// means that a key is taken, or a refusal of any kind is listed.
func (m *Map) free(op *contract.Operation, member contract.Member) bool {
	return strings.HasPrefix(member.Path, "/") && member.Refers("") == "" && op.Lists(http.StatusNotFound) == nil && m.looked(op, member)
}
