// The plant store as oapi-codegen's authenticated example writes it: the strict
// server behind the request validator, which also asks for the credential.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"

	"github.com/getkin/kin-openapi/openapi3filter"
	middleware "github.com/oapi-codegen/nethttp-middleware"

	"plantstore-targets/oapi/api"
)

type server struct{}

func (server) PostPlants(_ context.Context, request api.PostPlantsRequestObject) (api.PostPlantsResponseObject, error) {
	return api.PostPlants200JSONResponse{Name: request.Body.Name, Tag: request.Body.Tag}, nil
}

func authenticate(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	if input.RequestValidationInput.Request.Header.Get("Authorization") != "Bearer "+os.Getenv("TOKEN") {
		return errors.New("unauthorized")
	}
	return nil
}

func main() {
	spec, err := api.GetSpec()
	if err != nil {
		log.Fatal(err)
	}
	validator := middleware.OapiRequestValidatorWithOptions(spec, &middleware.Options{
		Options: openapi3filter.Options{AuthenticationFunc: authenticate},
	})
	handler := api.Handler(api.NewStrictHandler(server{}, nil))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), validator(handler)))
}
