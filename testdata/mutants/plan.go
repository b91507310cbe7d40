package main

func planMutants() []mutant {
	return []mutant{
		{
			Name: "forms-read-differently-tried", File: "mutators.go",
			Old: `r == nil || r.Kind != schema.MayRefuse`, New: `true`,
			Why: "a right server that reads objects in forms in its own way is never conformant",
		},
		{
			Name: "media-types-in-full-each", File: "mutators.go",
			Old: `	return 50
}`, New: `	return 100
}`,
			Why: "an operation with several media types takes more requests than the effort says",
		},
		{
			Name: "credentials-for-each-media-type", File: "thin.go",
			Old: `op.IsAdditional() && !ofBody(&class) ||`, New: `false ||`,
			Why: "credentials and parameters are tried again with each media type",
		},
		{
			Name: "same-bytes-in-full", File: "thin.go",
			Old: `		if op.SameBytes() {`, New: `		if false {`,
			Why: "text/json costs as much as application/json, and shows nothing else",
		},
		{
			Name: "effort-second-case-first", File: "effort.go",
			Old: `kept[k] < draw {`, New: `kept[k] < 0 {`,
			Why: "a class has a second case although it had no first",
		},
		{
			Name: "effort-unsaid", File: "effort.go",
			Old: `			p.thinned[op.First()] = true`, New: ``,
			Why: "nobody is told that requirements have no case",
		},
		{
			Name: "first-is-none-better", File: "effort.go",
			Old: `key{c.lead, `, New: `key{0, `,
			Why: "where there is room for few, the only test of a requirement is left out",
		},
		{
			Name: "sequence-counts-once", File: "effort.go",
			Old: `cost *= serial`, New: `cost *= 1`,
			Why: "a quick run spends most of its time in what runs alone",
		},
		{
			Name: "one-tier", File: "effort.go",
			Old: `maximum := budget * shares[tier] / 100`, New: `maximum := budget`,
			Why: "where there is room for few, no unusual value is tried",
		},
		{
			Name: "one-place-first", File: "effort.go",
			Old: `cmp.Compare(a.above, b.above)`, New: `0`,
			Why: "where there is room for few, all of it goes to one member",
		},
		{
			Name: "afford-without-subjects", File: "thin.go",
			Old: `if made[k].First > 0 && len(chosen) < room {`, New: `if false {`,
			Why: "of a costly operation, the only request for a keyword is left out",
		},
		{
			Name: "subjects-are-alike", File: "effort.go",
			Old: `subject == "" || c.Sharp != sharp`, New: `true || c.Sharp != sharp`,
			Why: "where there is room for few, a keyword loses its only request",
		},
		{
			Name: "far-values-stand-for-a-keyword", File: "effort.go",
			Old: `c.Sharp != sharp ||`, New: ``,
			Why: "where there is room for few, a bound that is off by one is not found",
		},
		{
			Name: "parsers-come-last", File: "effort.go",
			Old: `return "not JSON " + c.Mutator`, New: `return ""`,
			Why: "where there is room for few, no body that is not JSON is sent",
		},
		{
			Name: "one-case-comes-first", File: "effort.go",
			Old: `max(draw+1, c.First)`, New: `draw+1`,
			Why: "where there is room for few, one bound of a place is tried and the other is not",
		},
		{
			Name: "afford-the-first", File: "thin.go",
			Old: `chosen = append(chosen, others[i*len(others)/n])`, New: `chosen = append(chosen, others[i])`,
			Why: "of a costly operation only the first mutators are tried",
		},
		{
			Name: "seed-by-order", File: "plan.go",
			Old: `		c.Seed = Mix(p.Digest, c.ID, p.Seed)`, New: `		c.Seed = Mix(p.Digest, c.ID, p.Seed+uint64(offset))`,
			Why: "one more mutator changes what all behind it send",
		},
		{
			Name: "seed-ignored", File: "plan.go",
			Old: `		c.Seed = Mix(p.Digest, c.ID, p.Seed)`, New: `		c.Seed = Mix(p.Digest, c.ID, 1)`,
			Why: "--seed changes nothing",
		},
		{
			Name: "numbers-shared", File: "plan.go",
			Old: `		offset += c.numbers
`, New: `		offset += c.numbers - 1
`,
			Why: "two cases send the same id, and a store of unique ids fails",
		},
		{
			Name: "phases-mixed", File: "plan.go",
			Old: `		if a.Class.Phase != b.Class.Phase {
			return a.Class.Phase < b.Class.Phase
		}
`, New: ``,
			Why: "wrong credentials lock the suite out before anything else is tried",
		},
		{
			Name: "draws-together", File: "plan.go",
			Old: `		return a.Draw < b.Draw`, New: `		return false`,
			Why: "a run that ends early has tried one class a hundred times",
		},
		{
			Name: "skip-is-ignored", File: "classes.go",
			Old: ` && !s.any(s.Skip, names)`, New: ` && (!s.any(s.Skip, names) || len(s.Only) > 0)`,
			Why: "--skip does nothing beside --only",
		},
		{
			Name: "star-matches-one-run", File: "classes.go",
			Old: `			return strings.HasSuffix(text, part)`, New: `			return strings.Contains(text, part)`,
			Why: "a pattern selects cases that it does not name",
		},
		{
			Name: "work-without-end", File: "classes.go",
			Old: `	return s.work > 0
`, New: `	return true
`,
			Why: "a plan for a costly schema takes minutes",
		},
	}
}

func generateMutants() []mutant {
	return []mutant{
		{
			Name: "exclusive-bound-included", File: "baseline.go",
			Old: `whole(s.Above, 1, true)`, New: `whole(s.Above, 0, true)`,
			Why: "the plainest request is invalid, and nothing is tested",
		},
		{
			Name: "fraction-rounded-down", File: "baseline.go",
			Old: `	if up && m.Sign() != 0 {`, New: `	if up && m.Sign() < 0 {`,
			Why: "a number below the minimum is sent as valid",
		},
		{
			Name: "multiple-ignored", File: "baseline.go",
			Old: `		step.Set(r.Num())`, New: `		step.SetInt64(1)`,
			Why: "the plainest request breaks multipleOf",
		},
		{
			Name: "words-without-a-digit", File: "gen.go",
			Old: `		case 2:
`, New: `		case 200:
`,
			Why: "a fresh word is not known for one, and whose it is nobody can say",
		},
		{
			Name: "windows-of-runs-alike", File: "numbers.go",
			Old: `%windows + uint64(id.Generation)) % windows`, New: `%windows)`,
			Why: "the second run meets the ids of the first",
		},
		{
			Name: "first-window-is-fresh", File: "numbers.go",
			Old: `	if w == 0 {`, New: `	if false {`,
			Why: "a server fails that refuses small ids used twice",
		},
		{
			Name: "neighbours-in-place", File: "baseline.go",
			Old: `	return n.Add(n, big.NewInt(k*step)).String()`, New: `	return n.Add(n, big.NewInt(step)).String()`,
			Why: "the neighbour of a used value is the same each time",
		},
		{
			Name: "text-longer-than-allowed", File: "formats.go",
			Old: `	if s.MaxLength != nil {
		n = min(n, *s.MaxLength)
	}`, New: ``,
			Why: "the plainest request is invalid, and nothing is tested",
		},
	}
}

func catalogueMutants() []mutant {
	return []mutant{
		{
			Name: "mutator-missing-from-the-list", File: "list.go", Also: []string{"conformance"},
			Old: `missingMembers, invalidInContext,`, New: `invalidInContext,`,
			Why: "nobody notices that missing members are not tried",
		},
	}
}
