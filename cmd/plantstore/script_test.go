package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// scriptsSampled is how many scripts there are for each that go test runs.
const scriptsSampled = 5

func TestCommandLine(t *testing.T) {
	files, err := filepath.Glob("../../testdata/script/plantstore_*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	sample.Long(t)
	testscript.Run(t, testscript.Params{
		Files: sample.Of(files, scriptsSampled),
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"ADDR", "ADMIN"} {
				addr, err := freeAddress()
				if err != nil {
					return err
				}
				env.Setenv(name, addr)
			}
			return writeCertificate(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"post": post, "get": get},
	})
}

// post sends a plant: post URL TOKEN BODY. It prints status and body, and
// keeps trying while nobody listens yet.
func post(ts *testscript.TestScript, neg bool, args []string) {
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true,
	}}
	deadline := time.Now().Add(20 * time.Second)
	for {
		req, err := http.NewRequest(http.MethodPost, args[0], strings.NewReader(args[2]))
		ts.Check(err)
		req.Header.Set("Authorization", "Bearer "+args[1])
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			if time.Now().After(deadline) || !strings.Contains(err.Error(), "refused") {
				ts.Fatalf("post: %v", err)
			}
			time.Sleep(10 * time.Millisecond)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		ts.Check(err)
		if (resp.StatusCode == http.StatusOK) == neg {
			ts.Fatalf("post: %s %s", resp.Status, body)
		}
		_, err = ts.Stdout().Write([]byte(resp.Status + "\n" + string(body) + "\n"))
		ts.Check(err)
		return
	}
}

// get prints a page: get URL.
func get(ts *testscript.TestScript, _ bool, args []string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(args[0])
	ts.Check(err)
	defer resp.Body.Close()
	_, err = io.Copy(ts.Stdout(), resp.Body)
	ts.Check(err)
}

func freeAddress() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

// writeCertificate writes cert.pem and key.pem for the loopback address.
func writeCertificate(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert},
		"key.pem":  {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}
