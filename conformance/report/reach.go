package report

import "strings"

// Reach says how the operations of a document get a request that a target accepts.
type Reach struct {
	Version  int    `json:"version"`
	Target   string `json:"target"`
	Document string `json:"document"`
	Reached  int    `json:"reached"`
	// Operations are all of the document, those that are not asked too.
	Operations int   `json:"operations"`
	Ways       []Way `json:"ways"`
	// Ended says why nothing more was asked: an operation turned all others off, or the target knows no path.
	Ended string `json:"ended,omitempty"`
	// Reasons say what the ways do not, one sentence each.
	Reasons []string `json:"reasons,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
}

// Way is how one operation is reached, or why it is not.
type Way struct {
	Operation string `json:"operation"` // operationId, or the slug
	Reached   bool   `json:"reached"`
	// Sources are the places whose values must be known. One that is not known has
	// neither From nor Value.
	Sources []Source `json:"sources,omitempty"`
	// After are the operations that come first, about the same thing.
	After []string `json:"after,omitempty"`
	// Reason says why the operation is not reached, and Help what would help.
	Reason string `json:"reason,omitempty"`
	Help   string `json:"help,omitempty"`
	// Off says that other operations are refused after this one, and how that was undone.
	Off string `json:"off,omitempty"`
	// Aside says why the operation is not to be reached.
	Aside string `json:"aside,omitempty"`
}

// Source is where the value of one place comes from.
type Source struct {
	Place string `json:"place"` // "path/id", "/owner"
	// Kind is named, given, link, producer, list, example or any value.
	Kind string `json:"kind,omitempty"`
	// From is an exchange, such as createUser#/id, and Value a value in JSON.
	From  string `json:"from,omitempty"`
	Value string `json:"value,omitempty"`
	// Optional reports whether a request may do without it.
	Optional bool `json:"optional,omitzero"`
}

// String is the way in one line.
func (w Way) String() string {
	switch {
	case w.Aside != "":
		return w.Operation + " not tried: " + w.Aside
	case !w.Reached && w.Help != "":
		return w.Operation + " not reached: " + w.Reason + ": " + w.Help
	case !w.Reached:
		return w.Operation + " not reached: " + w.Reason
	}
	var from []string
	for _, s := range w.Sources {
		switch {
		case s.From != "":
			from = append(from, s.From)
		case s.Value != "":
			from = append(from, s.Kind+" "+s.Value)
		case s.Kind != "":
			from = append(from, s.Kind)
		}
	}
	line := w.Operation + " <- nothing needed"
	if len(from) > 0 {
		line = w.Operation + " <- " + strings.Join(from, ", ")
	}
	if len(w.After) > 0 {
		line += " after " + strings.Join(w.After, ", ")
	}
	if w.Off != "" {
		line += " (" + w.Off + ")"
	}
	return line
}
