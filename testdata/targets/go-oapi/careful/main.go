// The plant store with oapi-codegen, made to keep the contract: the generated
// routing and answers, behind a check of the body's text and the credential.
package main

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"plantstore-targets/oapi/api"
)

type server struct{}

func (server) PostPlants(_ context.Context, request api.PostPlantsRequestObject) (api.PostPlantsResponseObject, error) {
	return api.PostPlants200JSONResponse{Name: request.Body.Name, Tag: request.Body.Tag}, nil
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(api.Error{Error: int32(status), Message: message})
}

func authenticated(next http.Handler) http.Handler {
	wanted := []byte(os.Getenv("TOKEN"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		token = strings.TrimLeft(token, " ")
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), wanted) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "unauthorized")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// check refuses what the generated structs let pass: NAME for name, null,
// members left out, and text behind the first value.
func check(body []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return err
	}
	for member, into := range map[string]any{"id": new(int64), "name": new(string), "tag": new(string)} {
		raw, given := members[member]
		if !given && member != "tag" {
			return errors.New(member + " is required")
		}
		if !given {
			continue
		}
		if bytes.Equal(raw, []byte("null")) {
			return errors.New(member + ": null")
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return errors.New(member + ": " + err.Error())
		}
	}
	return nil
}

// checked passes on only the members of a NewPlant, so that no other spelling of their names can stand in for them.
func checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			refuse(w, http.StatusRequestEntityTooLarge, err.Error())
			return
		}
		if err == nil {
			err = check(body)
		}
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		var members map[string]json.RawMessage
		json.Unmarshal(body, &members)
		for member := range members {
			if member != "id" && member != "name" && member != "tag" {
				delete(members, member)
			}
		}
		body, _ = json.Marshal(members)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func main() {
	strict := api.NewStrictHandlerWithOptions(server{}, nil, api.StrictHTTPServerOptions{
		RequestErrorHandlerFunc: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, http.StatusBadRequest, err.Error())
		},
		ResponseErrorHandlerFunc: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, http.StatusBadRequest, err.Error())
		},
	})
	handler := authenticated(checked(api.Handler(strict)))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
