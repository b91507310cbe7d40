package faults

import "slices"

// List gives every fault, family by family.
func List() []Fault {
	return slices.Concat(
		syntax(), surroundings(),
		shape(), members(), idTypes(), idRange(), texts(),
		idRefused(), nameRefused(), spelling(), moods(),
		success(), plants(), echoes(), tagEchoes(), sharing(),
		refusals(), errorBodies(),
		credentials(), comparisons(), sessions(),
		crashes(), wear(), wire(), transport(), contexts(), orders(), knowing(), again(),
		heads(), framings(), blocks(), crossings(), sizes(), grammar(), marks(), beside(), inside(),
	)
}

// Find gives the fault of a name.
func Find(name string) (Fault, bool) {
	list := List()
	if i := slices.IndexFunc(list, func(f Fault) bool { return f.Name == name }); i >= 0 {
		return list[i], true
	}
	return Fault{}, false
}
