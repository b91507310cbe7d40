// The plant store with gin, made to keep the contract.
package main

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/gin-gonic/gin"
)

type Plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

type Error struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

func refuse(c *gin.Context, status int, message string) {
	c.AbortWithStatusJSON(status, Error{int32(status), message})
}

func auth(c *gin.Context) {
	scheme, token, _ := strings.Cut(c.GetHeader("Authorization"), " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), []byte(os.Getenv("TOKEN"))) != 1 {
		c.Header("WWW-Authenticate", "Bearer")
		refuse(c, http.StatusUnauthorized, "unauthorized")
	}
}

// newPlant reads members by their exact names: a struct would take NAME for name, and null for a string.
func newPlant(body []byte) (Plant, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return Plant{}, err
	}
	var id *int64
	var name, tag *string
	for member, into := range map[string]any{"id": &id, "name": &name, "tag": &tag} {
		raw, given := members[member]
		if !given {
			continue
		}
		if bytes.Equal(raw, []byte("null")) {
			return Plant{}, errors.New(member + ": null")
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return Plant{}, errors.New(member + ": " + err.Error())
		}
	}
	if id == nil || name == nil {
		return Plant{}, errors.New("id and name are required")
	}
	return Plant{*name, tag}, nil
}

func create(c *gin.Context) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, 1<<20))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		refuse(c, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	if err != nil {
		refuse(c, http.StatusBadRequest, err.Error())
		return
	}
	plant, err := newPlant(body)
	if err != nil {
		refuse(c, http.StatusBadRequest, err.Error())
		return
	}
	c.JSON(http.StatusOK, plant)
}

func main() {
	router := gin.New()
	router.Use(gin.Recovery())
	router.POST("/plants", auth, create)
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
