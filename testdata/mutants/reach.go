package main

func reachMutants() []mutant {
	return []mutant{
		{
			Name: "far-before-near", File: "producers.go",
			Old: `[][]*openapi.Operation{near, far}`, New: `[][]*openapi.Operation{far, near}`,
			Why: "an operation takes the key of something else with the same name",
		},
		{
			Name: "read-only-key-needed", File: "exists.go",
			Old: ` || s.ReadOnly || s.Never`, New: ` || s.Never`,
			Why: "a key that the server gives is looked for, and none is found",
		},
		{
			Name: "new-key-never-tried", File: "exists.go",
			Old: `return strings.HasPrefix(member.Path, "/") && member.Refers("") == ""`, New: `return false && member.Refers("") == ""`,
			Why: "a name that must be new is always one that is taken",
		},
		{
			Name: "needs-in-any-order", File: "needs.go",
			Old: `return rank(a) - rank(b)`, New: `return rank(b) - rank(a)`,
			Why: "a thing is looked for in a parent that is not its own",
		},
		{
			Name: "optional-needed", File: "needs.go",
			Old: `Optional: !member.Required`, New: `Optional: false`,
			Why: "an operation is not reached because of a member that it can do without",
		},
	}
}

// reachingMutants are those in how a target reaches its operations.
func reachingMutants() []mutant {
	return []mutant{
		{
			Name: "dead-way-kept", File: "reached.go",
			Old: `			dependencies[i] = slices.Delete(dependencies[i], at[i], at[i]+1)`, New: `			_ = i`,
			Why: "the first way that leads nowhere is the only one",
		},
		{
			Name: "delete-what-a-list-shows", File: "reached.go",
			Old: `return w.Kind != resource.List && w.Kind != resource.Example`, New: `return true`,
			Why: "the run deletes what the target had before",
		},
		{
			Name: "replace-what-a-list-shows", File: "reached.go",
			Old: `	case http.MethodPut, http.MethodPatch:
		return w.Kind != resource.List`, New: `	case http.MethodPut, http.MethodPatch:
		return true`,
			Why: "the run changes what the target had before",
		},
		{
			Name: "nothing-shared", File: "reached.go",
			Old: `http.MethodOptions, "QUERY":
		return false`, New: `http.MethodOptions, "QUERY":
		return true`,
			Why: "every request makes a thing of its own, and a run takes twice as long",
		},
		{
			Name: "deleted-thing-shared", File: "reached.go",
			Old: `	return true
}

// fit spells`, New: `	return false
}

// fit spells`,
			Why: "all deletions but the first are refused, and a right server fails",
		},
		{
			Name: "used-state-shared", File: "states.go",
			Old: `Own: true, Before:`, New: `Own: false, Before:`,
			Why: "an order is shipped twice, and a right server fails",
		},
		{
			Name: "states-not-chained", File: "states.go",
			Old: `append(slices.Clone(r.Before), op)`, New: `[]*openapi.Operation{op}`,
			Why: "an article that must be submitted and approved is never published, and nothing about that is tried",
		},
		{
			Name: "ways-without-end", File: "reached.go",
			Old: `	tries := limits.ReachTries`, New: `	tries := 100 * limits.ReachTries`,
			Why: "the pre-flight of a large document never ends",
		},
		{
			Name: "text-for-a-number", File: "reached.go",
			Old: `			return jsontree.NewNumber(v.Text)`, New: `			return v`,
			Why: "an id in quotes is sent where a number must be, and nothing is reached",
		},
		{
			Name: "server-error-forgotten", File: "reached.go",
			Old: `p.refused.Exchange.Response.Status >= 500`, New: `p.refused.Exchange.Response.Status >= 600`,
			Why: "an operation that answers 500 to every request is only not reached",
		},
		{
			Name: "optional-way-untried", File: "reached.go",
			Old: `p.takes(ctx, n.Path) || ctx.Err() != nil`, New: `p.takes(ctx, n.Path) || true`,
			Why: "a value that was refused is sent in every request",
		},
		{
			Name: "stated-refusal-excused", File: "reached.go",
			Old: `if p.t.Stated || `, New: `if `,
			Why: "a server that refuses what the user says is accepted does not fail",
		},
		{
			Name: "parents-forgotten", File: "bind.go",
			Old: `!strings.HasPrefix(other.Path, "/") {`, New: `strings.HasPrefix(other.Path, "none/") {`,
			Why: "a thing is looked for in a parent that is not its own",
		},
		{
			Name: "state-not-made", File: "ask.go",
			Old: `for _, op := range r.Before {`, New: `for _, op := range r.Before[:0] {`,
			Why: "an order is shipped before it is paid, and a right server fails",
		},
		{
			Name: "shared-things-made-again", File: "bind.go",
			Old: `	if known != nil {`, New: `	if known != nil && keep != nil {`,
			Why: "every request is sent twice as often as it must be",
		},
		{
			Name: "shared-thing-made-by-everybody", File: "shared.go",
			Old: `made != nil {`, New: `made != nil && false {`,
			Why: "how many requests a run sends depends on the load of the machine",
		},
		{
			Name: "deleted-things-still-shared", File: "send.go",
			Old: `					t.shared.forgetAll()
`, New: ``,
			Why: "every request about what a collection had is refused, and a right server fails",
		},
		{
			Name: "first-item-taken", File: "ask.go",
			Old: `if a.made != nil && resembles(one, a.made.Tree) {`, New: `if false {`,
			Why: "the run reads what somebody else made",
		},
		{
			Name: "first-location-taken", File: "ask.go",
			Old: `len(fields) != 1 || `, New: `len(fields) == 0 || `,
			Why: "of two locations one is believed",
		},
		{
			Name: "late-refusal-renews", File: "shared.go",
			Old: `	if t.Endpoint.Keys.Number() != e.Request.Keys {
		return true`, New: `	if t.Endpoint.Keys.Number() != e.Request.Keys {
		return false`,
			Why: "requests under way during a renewal count as refused",
		},
		{
			Name: "unaccepted-credential-renewed", File: "shared.go",
			Old: `t.renewals.accepted.Swap(false) && `, New: ``,
			Why: "a credential that was never right is asked for again and again",
		},
	}
}
