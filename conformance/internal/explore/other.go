package explore

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// Stranger says why the target is not known to accept the other principal in requests of
// an operation. It is empty if it is.
func (f *Facts) Stranger(op *openapi.Operation) string {
	for _, scheme := range ofOther(op) {
		if why := f.strangers[scheme]; why != "" {
			return why
		}
	}
	return ""
}

// ofOther names the schemes of which an operation gets the credential of the other
// principal.
func ofOther(op *openapi.Operation) []string {
	var out []string
	if op.HasOther() {
		for _, s := range op.Security[op.Chosen] {
			if s.Other {
				out = append(out, s.Name)
			}
		}
	}
	return out
}

// meetOther finds out whether the target accepts the credentials of the other principal:
// if not, that it refuses a request says nothing. Requests about no thing come first,
// because one of somebody else may be refused, and those that change nothing.
func (t *Target) meetOther(ctx context.Context, s Session) {
	t.Facts.strangers = map[string]string{}
	ops := slices.DeleteFunc(t.tried(), func(op *openapi.Operation) bool { return !op.HasOther() || !t.Facts.Of(op).Accepted })
	slices.SortStableFunc(ops, func(a, b *openapi.Operation) int { return cmp.Compare(harm(a), harm(b)) })
	met := map[string]bool{}
	for _, op := range ops {
		schemes := ofOther(op)
		if ctx.Err() != nil || !slices.ContainsFunc(schemes, func(name string) bool { return !met[name] }) {
			continue
		}
		why := "the other credential is not accepted: no operation shows whether it is"
		if harm(op) < harmful {
			m := t.Baseline(t.Fresh(op))
			if t.Bind(ctx, s, m) == nil {
				m.Other = true
				why = t.meets(ctx, s, m, why)
			}
		}
		for _, name := range schemes {
			switch {
			case why == "":
				met[name], t.Facts.strangers[name] = true, ""
			case !met[name] && t.Facts.strangers[name] == "":
				t.Facts.strangers[name] = why
			}
		}
	}
	for _, op := range ops {
		if why := t.Facts.Stranger(op); why != "" && ctx.Err() == nil {
			t.Because(why)
		}
	}
}

// harmful is the harm of a request that is not sent as the other principal to meet it.
const harmful = 3

// harm orders requests by what they may do to things.
func harm(op *openapi.Operation) int {
	reads, about := op.Method == http.MethodGet, namesThing(op)
	switch {
	case reads && !about:
		return 0
	case reads:
		return 2
	case about || clears(op):
		return harmful
	}
	return 1
}

// meets sends a message of the other principal and returns an empty text if the target
// knows that one. If the message is about a thing of somebody else, it may be refused, but
// not like a wrong credential. Without an answer the given reason stays.
func (t *Target) meets(ctx context.Context, s Session, m *message.Message, why string) string {
	e := t.Send(ctx, s, m, "preflight", "preflight")
	switch {
	case e == nil || e.Failure != nil:
		return why
	case Accepted(m.Op, e) || len(m.Bound) > 0 && t.hides(ctx, s, m, e):
		return ""
	}
	return fmt.Sprintf("the other credential is not accepted: %s returns %d for it: give one with --auth-other that the target accepts", m.Op.Name(), e.Response.Status)
}

// hides reports whether the target refuses a request because of what it is about.
func (t *Target) hides(ctx context.Context, s Session, m *message.Message, e *exchange.Exchange) bool {
	p := &preflight{t: t, s: s, op: m.Op, message: m, facts: t.Facts.Of(m.Op)}
	return (e.Response.Status == http.StatusForbidden || e.Response.Status == http.StatusNotFound) && !p.likeWrongToken(ctx, e)
}
