package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// Ways says how each operation was reached, in the order of the document, without
// those that are not tried.
func (t *Target) Ways() []report.Way {
	var out []report.Way
	for _, op := range t.tried() {
		if op.IsFurther() && (t.Facts.Of(op).Unreached == "" || !t.Facts.Of(op.First()).Accepted) {
			continue // as the first media type
		}
		out = append(out, t.way(op))
	}
	return out
}

func (t *Target) way(op *openapi.Operation) report.Way {
	facts := t.Facts.Of(op)
	w := report.Way{Operation: op.Name(), Reached: facts.Accepted, Sources: given(op)}
	if off := t.Facts.Of(op.First()).Off; off != nil {
		w.Off = off.String()
	}
	if !facts.Accepted {
		w.Reason, w.Help = cmp.Or(facts.Unreached, facts.Refused, "it was not asked"), facts.Help
	}
	for _, n := range t.Reach.Of(op) {
		s := report.Source{Place: n.Path, Optional: n.Optional}
		if r := facts.Reached; r != nil && !r.Ways[n.Path].None() {
			if chosen, found := r.Ways[n.Path]; found {
				s = source(s, chosen)
			}
		}
		w.Sources = append(w.Sources, s)
	}
	if !facts.Accepted {
		w.Sources = append(w.Sources, wanted(op, w.Sources)...)
	}
	if facts.Reached != nil {
		for _, before := range facts.Reached.Before {
			w.After = append(w.After, before.Name())
		}
	}
	return w
}

// wanted lists the required places that no source is about: one of their values may be
// what an operation that is not reached lacks.
func wanted(op *openapi.Operation, listed []report.Source) []report.Source {
	var out []report.Source
	for _, m := range op.Members() {
		if m.Required && !slices.ContainsFunc(listed, func(s report.Source) bool { return s.Place == m.Path }) {
			out = append(out, report.Source{Place: m.Path})
		}
	}
	return out
}

func source(s report.Source, w resource.Way) report.Source {
	s.Kind = w.Kind.String()
	switch {
	case w.Value != nil:
		s.Value = w.Value.String()
	case w.From != nil:
		s.From = w.String()
	}
	return s
}

// given lists the places whose value the user named.
func given(op *openapi.Operation) []report.Source {
	var out []report.Source
	add := func(shape *openapi.Shape, section bool) {
		for key, d := range shape.Domains {
			if d.Value == nil {
				continue
			}
			if section {
				key = key[1:]
			}
			out = append(out, report.Source{Place: key, Kind: "given", Value: jsontree.Cut(d.Value.String(), 1000)})
		}
	}
	if op.Params != nil {
		add(op.Params, true)
	}
	if op.Body != nil {
		add(op.Body.Shape, false)
	}
	slices.SortFunc(out, func(a, b report.Source) int { return strings.Compare(a.Place, b.Place) })
	return out
}

// refusal says how a baseline request was answered, and what may help.
func (o *OpFacts) refusal(e *exchange.Exchange) {
	switch {
	case e == nil:
		o.Refused = "it got no answer in time"
		return
	case e.Failure != nil:
		o.Refused, o.Help = "it got no answer: "+e.Failure.Error(), "see whether the server is running, or correct --target"
		return
	}
	status := e.Response.Status
	o.Status = status
	o.Refused = answeredWith(status)
	switch {
	case status == 401 || status == 403:
		o.Help = "give a credential that may call it, with --token or --auth"
	case status == 404 || status == 405:
		o.Help = "correct --target, or name a value that exists with --values"
	case status/100 == 5:
		o.Help = "look into the log of the server"
	default:
		o.Help = "name the values that the server accepts with --values"
	}
}

// answeredWith says how a baseline request was refused.
func answeredWith(status int) string {
	return fmt.Sprintf("its baseline request is answered with %d", status)
}
