// Package api is what oapi-codegen makes of the service's document.
package api

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config config.yaml ../../../../spec/openapi.yaml
