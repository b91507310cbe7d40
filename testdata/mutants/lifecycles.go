package main

// lifecycleMutants are those of the rules about the life of a thing.
func lifecycleMutants() []mutant {
	return []mutant{
		{
			Name: "lost-creation-passes", File: "created.go",
			Old: `|| !p.Got.Missing():`, New: `|| p.Got.Status != http.StatusGone:`,
			Why: "a server that keeps nothing passes",
		},
		{
			Name: "forbidden-read-is-lost", File: "created.go",
			Old: ` || !p.Got.Missing():`, New: `:`,
			Why: "a server fails that lets only another user read",
		},
		{
			Name: "late-deletion-fails", File: "deleted.go",
			Old: `by.Got.Status == http.StatusAccepted || marked(p)`, New: `marked(p)`,
			Why: "a server fails that deletes later and says so",
		},
		{
			Name: "marked-deletion-fails", File: "deleted.go",
			Old: `marked(p) || another(p)`, New: `another(p)`,
			Why: "a server fails that marks things as deleted",
		},
		{
			Name: "changed-item-is-listed", File: "unlisted.go",
			Old: `case !jsontree.Equal(was, is):`, New: `case false:`,
			Why: "a server fails whose list marks things as deleted",
		},
		{
			Name: "own-members-compared", File: "stored.go",
			Old: `if secret(m.Name) || madeByServer(p, m.Name) {`, New: `if secret(m.Name) {`,
			Why: "a server fails that sets a readOnly member itself",
		},
		{
			Name: "answer-of-the-write-ignored", File: "stored.go",
			Old: `if v := given.Get(m.Name); v != nil {`, New: `if v := given.Get(m.Name); false {`,
			Why: "a server fails that normalises a value and says so",
		},
		{
			Name: "unwritten-put-passes", File: "stored.go",
			Old: `case lost != "" && !written:`, New: `case false:`,
			Why: "a PUT that answers with the old values and stores nothing passes",
		},
		{
			Name: "times-are-texts", File: "stored.go",
			Old: `	return sameTime(a, b)`, New: `	return false`,
			Why: "a server fails that stores times in UTC",
		},
		{
			Name: "new-default-is-a-change", File: "known.go",
			Old: `if without.Get(name) != nil || secret(name) {`, New: `if secret(name) {`,
			Why: "a server fails that stores the patch",
		},
		{
			Name: "part-taken-for-the-thing", File: "done.go",
			Old: `if is == nil || !sameResource(was, said, by.Key) || partOf(p, was, said) {`, New: `if is == nil || was == nil || said == nil {`,
			Why: "a server fails that answers with the part of a thing which it made",
		},
		{
			Name: "default-carried-over", File: "created.go",
			Old: `|| !telling(m.Value) || holds(was.Get(m.Name), m.Value) {`, New: `|| !telling(m.Value) {`,
			Why: "a server fails whose default is what a request sent",
		},
		{
			Name: "made-without-a-look", File: "keys.go",
			Old: `asked == nil || asked.Text != key.Text`, New: `asked == nil`,
			Why: "a server fails that replaces a thing after a read of another one that is missing",
		},
		{
			Name: "reset-test-passes", File: "patchdocuments.go",
			Old: `case !applies:`, New: `case !applies && len(list) == 0:`,
			Why: "a server passes that applies a patch whose test fails",
		},
		{
			Name: "older-second-counts", File: "conditionaldates.go",
			Old: `if !ok || !given.Before(changed) || !p.Got.Accepts() {`, New: `if !ok || given.IsZero() || changed.IsZero() || !p.Got.Accepts() {`,
			Why: "a right server fails that answers 304",
		},
		{
			Name: "coded-tags-differ", File: "partialreads.go",
			Old: `f.one == f.two && got != f.one`, New: `got != f.one`,
			Why: "a server fails whose representation changed between two reads",
		},
		{
			Name: "old-copies-believed", File: "known.go",
			Old: `want.Kind == jsontree.Null, shown != nil && !kept(want, shown):`, New: `want.Kind == jsontree.Null:`,
			Why: "a server fails whose reads may come from an older copy",
		},
		{
			Name: "parts-change-nothing", File: "known.go",
			Old: `case sent == nil, want == nil && e.Op.Method != http.MethodPatch:`, New: `case sent != nil && want == nil && e.Op.Method != http.MethodPatch:`,
			Why: "a server fails that changes a member when something is done with the thing",
		},
		{
			Name: "states-may-not-be-reset", File: "patched.go",
			Old: `if jsontree.Equal(old, m.Value) || !jsontree.Equal(said, m.Value) {`, New: `if jsontree.Equal(old, m.Value) {`,
			Why: "a server fails that makes a draft of what is edited and says so",
		},
		{
			Name: "weak-tags-compared", File: "conditionalreads.go",
			Old: `case strings.HasPrefix(is, "W/") && !changedBy(p, before, http.MethodPatch):`, New: `case false:`,
			Why: "a server fails whose weak tag stays the same for an equivalent thing",
		},
		{
			Name: "unchanged-thing-is-stale", File: "conditionalwrites.go",
			Old: `if !p.Retagged() {`, New: `if false {`,
			Why: "a server fails whose tag stays because the write changed nothing",
		},
	}
}
