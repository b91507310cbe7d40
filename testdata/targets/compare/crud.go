package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"plantstore/reference/services/crud"
)

// The kinds of servers.
const (
	right   = "right"
	fault   = "fault"
	variant = "variant"
)

// crudServer is the CRUD service with a fault, as a variant, or as it is.
type crudServer struct {
	kind, name, doc string
	// several means that it takes several exchanges to show what it does.
	several bool
	// wider means that it keeps the document with more answers, and no other.
	wider bool
	opts  []crud.Option
}

func asItIs() crudServer {
	return crudServer{kind: right, name: "as-it-is", doc: "the service without fault or variant"}
}

// document is what the tools know of the server.
func (s crudServer) document() []byte {
	if s.wider {
		return crud.WiderDocument()
	}
	return crud.Document()
}

// crudServers lists the service as it is, then one in n of its variants and its faults,
// in the order of their names. The name alone decides whether one is in the sample, so
// that a new one leaves the others as they are.
func crudServers(n int) []crudServer {
	var all []crudServer
	for _, v := range crud.Variants() {
		all = append(all, crudServer{variant, v.Name, v.Doc, !v.Alone(), v.Wider, []crud.Option{crud.WithVariant(v)}})
	}
	for _, f := range crud.Faults() {
		all = append(all, crudServer{fault, f.Name, f.Breaks, !f.Alone(), false, []crud.Option{crud.WithFault(f)}})
	}
	all = slices.DeleteFunc(all, func(s crudServer) bool {
		h := fnv.New32a()
		h.Write([]byte(s.name))
		return h.Sum32()%uint32(n) != 0
	})
	slices.SortStableFunc(all, func(a, b crudServer) int {
		return cmp.Or(strings.Compare(b.kind, a.kind), strings.Compare(a.name, b.name)) // variants before faults
	})
	return append([]crudServer{asItIs()}, all...)
}

// compareCRUD runs the tools against the CRUD service and writes the tables. The
// results file keeps every run, so that an interrupted comparison can go on.
func compareCRUD(ctx context.Context, o options, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o, err = forCRUD(o, dir); err != nil {
		return err
	}
	done, err := readRecords(o.results)
	if err != nil {
		return err
	}
	judge := func(t tool, s crudServer) error {
		if _, ok := recorded(done, t.name, s); ok {
			return nil
		}
		r, err := judgeCRUD(ctx, o, t, s)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", s.name, t.name, err)
		}
		done = append(done, r)
		fmt.Fprintf(stderr, "%s %s: %s: %s, %d failures\n", s.kind, s.name, t.name, r.Verdict, len(r.Failed))
		return r.append(o.results)
	}
	list := crudServers(o.oneIn)
	for _, t := range crudTools(o) {
		for _, s := range list {
			if t.name == crudAgain(o).name && s.kind != right && (s.kind != fault || len(fresh(done, schemathesisTool(o).name, s)) > 0) {
				continue
			}
			if err := judge(t, s); err != nil {
				return err
			}
		}
	}
	if o.only != "" {
		return nil // the page has all of them
	}
	version, err := exec.CommandContext(ctx, o.schemathesis, "--version").Output()
	if err != nil {
		return fmt.Errorf("the version of Schemathesis: %w", err)
	}
	_, number, _ := strings.Cut(strings.TrimSpace(string(version)), "version ")
	writeTables(stdout, o, "Schemathesis "+number, list, done)
	return nil
}

// crudTools lists the tools in the order of their columns: this suite with its default
// effort and with its smallest, and Schemathesis twice.
func crudTools(o options) []tool {
	o.strict = true
	smoke := o
	smoke.effort = "smoke"
	all := []tool{conformanceTool(o), conformanceTool(smoke), schemathesisTool(o), crudAgain(o)}
	return slices.DeleteFunc(all, func(t tool) bool { return !strings.HasPrefix(t.name, o.only) })
}

// crudAgain judges what Schemathesis missed once more, with more generous settings.
func crudAgain(o options) tool { return schemathesisTool(o.generous()) }

// generous leaves Schemathesis its default number of cases and lets it go onward.
func (o options) generous() options {
	o.examples, o.onward = 0, true
	return o
}

// forCRUD gives both tools the document and the credentials of the service.
func forCRUD(o options, dir string) (options, error) {
	if o.spec != "" || o.target != "" || o.start != "" || o.token != "" {
		return o, errors.New("--crud has its own servers: leave out --spec, --target, --start and --token")
	}
	if o.examples < 1 || o.results == "" {
		return o, errors.New("--crud needs --max-examples and --results")
	}
	c := crud.DefaultCredentials()
	o.spec, o.config, o.requirements = filepath.Join(dir, "openapi.yaml"), filepath.Join(dir, "schemathesis.toml"), filepath.Join(dir, "requirements.yaml")
	o.auth = []string{"bearer=" + c.Bearer, "deskKey=" + c.DeskKey, "queryKey=" + c.QueryKey}
	config := fmt.Sprintf("[auth.openapi]\nbearer.bearer = %q\ndeskKey.api_key = %q\nqueryKey.api_key = %q\n", c.Bearer, c.DeskKey, c.QueryKey)
	return o, errors.Join(os.WriteFile(o.requirements, crud.Requirements(), 0o600), os.WriteFile(o.config, []byte(config), 0o600))
}

// judgeCRUD runs a tool against a new server, with its document.
func judgeCRUD(ctx context.Context, o options, t tool, s crudServer) (record, error) {
	if err := os.WriteFile(o.spec, s.document(), 0o600); err != nil {
		return record{}, err
	}
	server, err := crud.Start("127.0.0.1:0", s.opts...)
	if err != nil {
		return record{}, err
	}
	defer server.Close()
	r, err := t.run(ctx, o, s.name, server.URL)
	return record{Kind: s.kind, Name: s.name, Tool: t.name, Verdict: r.verdict, Failed: r.failed,
		Requests: r.requests, CPU: r.cpu.Seconds(), Seconds: r.took.Seconds()}, err
}
