// Command api is a small server with an OpenAPI document.
package main

import (
	_ "embed" // the document is a file
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"
)

//go:embed openapi.yaml
var document []byte

func main() {
	log.Fatal(http.ListenAndServe(os.Args[1], handler()))
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /time", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]time.Time{"time": time.Now()})
	})
	return mux
}
