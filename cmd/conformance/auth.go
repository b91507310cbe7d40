package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"plantstore/conformance"
)

// authOptions say how to authenticate, beside the token.
type authOptions struct {
	Auth        []named `sep:"none" placeholder:"NAME=VALUE" help:"Credential of one security scheme of the document: a token, a key, or user:password. Other users can see it in the process list: prefer the environment variable CONFORMANCE_AUTH_NAME (NAME in upper case, with every character other than a letter or digit replaced by _). Repeatable."`
	AuthOther   []named `name:"auth-other" sep:"none" placeholder:"NAME=VALUE" help:"Credential of a second user, as with --auth, or in CONFORMANCE_AUTH_OTHER_NAME. Give it only if the two users cannot see each other's data: neither may then read, change or delete what the other created, where the document lists 403 or 404. Repeatable."`
	AuthAlways  bool    `name:"auth-always" help:"Send the credentials of --auth, --auth-command or the token with every operation, also where the document asks for none: for a server that wants one all the same."`
	AuthCommand []named `name:"auth-command" sep:"none" placeholder:"NAME=COMMAND" help:"Shell command that prints the credential of one security scheme. It runs once the server is up (--wait), and again when the server answers 401 to a credential that it accepted before. Repeatable."`
	Cert        *string `placeholder:"FILE" help:"Client certificate (PEM), for every connection."`
	Key         *string `placeholder:"FILE" help:"Key of the client certificate (PEM)."`
}

// given reports whether any option is set.
func (o authOptions) given() bool {
	return len(o.Auth)+len(o.AuthOther)+len(o.AuthCommand) > 0 || o.AuthAlways || o.Cert != nil || o.Key != nil
}

// named is a value with the name of a security scheme.
type named struct{ name, value string }

func (n *named) UnmarshalText(text []byte) error {
	name, value, found := strings.Cut(string(text), "=")
	if !found || name == "" || value == "" {
		// The value may be a secret: it is not repeated.
		return usagef("write NAME=VALUE, with the name of a security scheme of the document", "not a name and a value")
	}
	*n = named{name, value}
	return nil
}

// apply puts the options into the configuration. The error is a *usageError.
func (o authOptions) apply(c *conformance.Config, getenv func(string) string) (err error) {
	if len(o.Auth) > 0 {
		c.Auth = map[string]string{}
	}
	for _, a := range o.Auth {
		if _, twice := c.Auth[a.name]; twice {
			return usagef("give each security scheme one credential", "--auth %s is set twice", a.name)
		}
		c.Auth[a.name] = a.value
	}
	for _, a := range o.AuthOther {
		if _, twice := c.AuthOther[a.name]; twice {
			return usagef("give each security scheme one other credential", "--auth-other %s is set twice", a.name)
		}
		if c.AuthOther == nil {
			c.AuthOther = map[string]string{}
		}
		c.AuthOther[a.name] = a.value
	}
	for _, a := range o.AuthCommand {
		if c.Auth[a.name] != "" || c.Renew[a.name] != nil {
			return usagef("give each security scheme one credential", "--auth-command %s is not the only credential of that scheme", a.name)
		}
		if c.Renew == nil {
			c.Renew = map[string]func(context.Context) (string, error){}
		}
		c.Renew[a.name] = printed(a.value)
	}
	c.Getenv, c.AuthAlways = getenv, o.AuthAlways
	switch {
	case (o.Cert == nil) != (o.Key == nil):
		return usagef("give both", "--cert and --key belong together")
	case o.Cert == nil:
		return nil
	}
	if c.Cert, err = read("--cert", *o.Cert, "give a file with a PEM certificate"); err != nil {
		return err
	}
	c.Key, err = read("--key", *o.Key, "give a file with the PEM key of the certificate")
	return err
}

// longestCredential bounds what is read of a command, in bytes.
const longestCredential = 16 << 10

// printed returns the function that runs a shell command and returns the line that it
// prints. Errors have its standard error, and never its output.
func printed(command string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, commandTime)
		defer cancel()
		shell := exec.CommandContext(ctx, "sh", "-c", command)
		shell.WaitDelay = time.Second // for processes that it left behind
		var complaint bytes.Buffer
		shell.Stderr = &complaint
		out, err := shell.Output()
		var exit *exec.ExitError
		why := complained(complaint.Bytes())
		switch {
		case ctx.Err() != nil:
			return "", fmt.Errorf("the command takes more than %v: %s", commandTime, why)
		case errors.As(err, &exit):
			return "", fmt.Errorf("the command ends with %v: %s", exit.ProcessState, why)
		case err != nil:
			return "", errors.New("the command cannot be run: it needs sh")
		case len(out) > longestCredential:
			return "", fmt.Errorf("the command prints more than %d bytes: print the credential alone", longestCredential)
		case len(bytes.TrimSpace(out)) == 0 && complaint.Len() > 0:
			return "", fmt.Errorf("it gives no credential: %s", why)
		}
		return string(bytes.TrimRight(out, "\r\n")), nil
	}
}

// complained is what a command wrote to standard error, in one line, or what to do if that is nothing.
func complained(text []byte) string {
	words := strings.Join(strings.FieldsFunc(string(text), func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " ")
	if words == "" {
		return "run it in a shell to see why"
	}
	if maximum := len(words) - maxComplained; maximum > 0 {
		words = "..." + strings.ToValidUTF8(words[maximum:], "") // the end says why
	}
	return "it says: " + words
}

// maxComplained bounds what is shown of the standard error of a command, in bytes.
const maxComplained = 500

// commandTime is how long a command may take.
const commandTime = 30 * time.Second

// envToken is the environment variable that holds the token.
const envToken = "CONFORMANCE_TOKEN"

// token finds the token: flag before file before environment; empty where there
// is none. No error repeats a character of it.
func (o targetOptions) token(getenv func(string) string) (string, error) {
	switch {
	case o.Token != nil && o.TokenFile != nil:
		return "", usagef("use only one of them", "both --token and --token-file are set")
	case o.Token != nil:
		return *o.Token, checkToken("--token", *o.Token, false)
	case o.TokenFile != nil:
		data, err := read("--token-file", *o.TokenFile, "give a file that contains only the token")
		if err != nil {
			return "", err
		}
		token := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		return token, checkToken("--token-file "+*o.TokenFile, token, true)
	}
	token := getenv(envToken)
	if token == "" || !o.own() {
		// The variable is often set for all of a shell: it does not matter to a
		// run that brings its own server.
		return "", nil
	}
	return token, checkToken(envToken, token, false)
}

// checkToken refuses what cannot stand behind the scheme in a header; of a file
// it says in which line that is.
func checkToken(from, token string, file bool) error {
	if token == "" {
		return usagef("give the token that your server accepts", "%s: the token is empty", from)
	}
	at := strings.IndexFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f })
	if at < 0 {
		return nil
	}
	kind := blank(token[at])
	what, hint := "the token contains white space", "give the token alone, without a scheme"
	if kind == "" {
		what, hint = "the token contains a character that is not allowed in a header", "use visible ASCII characters only"
	}
	if file {
		what += fmt.Sprintf(" in line %d", 1+strings.Count(token[:at], "\n"))
		if kind != "" {
			what += ", " + kind
		}
	}
	return usagef(hint, "%s: %s", from, what)
}

// blank names a character of white space; it is empty for any other.
func blank(c byte) string {
	switch c {
	case ' ':
		return "a blank"
	case '\t':
		return "a tab"
	case '\n', '\r':
		return "a line end"
	case '\v', '\f':
		return "a vertical tab or form feed"
	}
	return ""
}
