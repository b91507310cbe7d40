package proof

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services/crud"
)

// The services whose faults and variants a table judges.
const (
	PlantStore = "plantstore"
	CRUD       = "crud"
)

// asItIs names the row of the CRUD service without fault or variant.
const asItIs = "as-it-is"

// crudSubjects lists what is kept of the CRUD service: with each fault, as it is, and
// as each variant, all crossed with a variant if one is named.
func crudSubjects(crossed string, keep func(Kind, string) bool) ([]subject, error) {
	var under []crud.Option
	var base crud.Variant
	if crossed != "" {
		v, found := crud.FindVariant(crossed)
		if !found {
			return nil, fmt.Errorf("the crud service has no variant %q", crossed)
		}
		under, base = append(under, crud.WithVariant(v)), v
	}
	var out []subject
	add := func(row Row, clause string, v crud.Variant, opts ...crud.Option) {
		if keep(row.Kind, row.Name) {
			opts = append(opts, under...)
			adapt := func(c conformance.Config) conformance.Config {
				return crudConfigOf(crudConfigOf(c, base), v)
			}
			out = append(out, subject{row: row, clause: clause, adapt: adapt, start: func() (*Server, error) { return startCRUD(opts) }})
		}
	}
	for _, f := range crud.Faults() {
		row := Row{Kind: Fault, Name: f.Name, Doc: f.Breaks, Breaks: "#" + f.Clause}
		if len(f.Requirements) > 0 {
			row.Breaks, row.Also = f.Requirements[0], f.Requirements[1:]
		}
		add(row, f.Clause, crud.Variant{Principals: f.Principals}, crud.WithFault(f))
	}
	add(Row{Kind: Variant, Name: asItIs, Doc: "the service without fault or variant"}, "", crud.Variant{})
	for _, v := range crud.Variants() {
		add(Row{Kind: Variant, Name: v.Name, Doc: v.Doc}, "", v, crud.WithVariant(v))
	}
	return out, nil
}

// startCRUD starts the CRUD service on a free port.
func startCRUD(opts []crud.Option) (*Server, error) {
	r, err := crud.Start("127.0.0.1:0", opts...)
	if err != nil {
		return nil, fmt.Errorf("crud service: %w", err)
	}
	return &Server{URL: r.URL, Close: func() {
		_ = r.Close() // all is in memory
	}}, nil
}

// Contract is the part of a config that says what a service is judged by.
func Contract(service string) conformance.Config {
	if service == CRUD {
		return crudConfig(conformance.Config{})
	}
	return conformance.Config{}
}

// crudConfig adds the document, its requirements file and the credential of each scheme
// to a config.
func crudConfig(c conformance.Config) conformance.Config {
	c.Spec, c.SpecName = crud.Document(), "reference/services/crud/openapi.yaml"
	c.Requirements, c.RequirementsName = crud.Requirements(), "reference/services/crud/requirements.yaml"
	accepted := crud.DefaultCredentials()
	c.Auth = map[string]string{"bearer": accepted.Bearer, "deskKey": accepted.DeskKey, "queryKey": accepted.QueryKey}
	return c
}

// crudConfigOf changes a config for a variant that conforms to the wider document alone, of which the
// requirements file says more, or that has two principals.
func crudConfigOf(c conformance.Config, v crud.Variant) conformance.Config {
	if v.Wider {
		c.Spec, c.SpecName = crud.WiderDocument(), "reference/services/crud/openapi.yaml with 202 and 403"
	}
	c.Requirements = slices.Concat(c.Requirements, []byte(v.Accepted))
	if other := crud.OtherCredentials(); v.Principals {
		c.AuthOther = map[string]string{"bearer": other.Bearer, "deskKey": other.DeskKey, "queryKey": other.QueryKey}
	}
	return c
}

// settle names the requirement that a fault should trip by what the run tripped: most
// faults of the CRUD service know their clause alone. Without a failed
// requirement of that clause the row keeps the clause.
func (r *Row) settle(rep *report.Report, clause string) {
	for _, x := range rep.Results {
		if x.Verdict != report.Fail || !related(x.Clause, clause) {
			continue
		}
		if strings.HasPrefix(r.Breaks, "#") {
			r.Breaks = x.Requirement
			continue
		}
		r.Also = append(r.Also, x.Requirement)
	}
}

// related reports whether a requirement rests on a clause: on that very place of
// the document, on the object that it is a keyword of, or on something below it.
func related(requirement, clause string) bool {
	_, at, found := strings.Cut(requirement, "#")
	if !found {
		return false
	}
	above := clause[:strings.LastIndex(clause, "/")]
	return at == clause || at == above || strings.HasPrefix(at, clause+"/")
}
