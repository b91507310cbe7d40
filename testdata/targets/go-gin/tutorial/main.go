// The plant store as gin's documentation writes it: a struct with binding tags.
package main

import (
	"net/http"
	"os"
	"strings"

	"github.com/gin-gonic/gin"
)

type Plant struct {
	Name string `json:"name" binding:"required"`
	Tag  string `json:"tag"`
}

type NewPlant struct {
	ID int64 `json:"id" binding:"required"`
	Plant
}

func auth(c *gin.Context) {
	if strings.TrimPrefix(c.GetHeader("Authorization"), "Bearer ") != os.Getenv("TOKEN") {
		c.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"error": "unauthorized"})
	}
}

func main() {
	router := gin.Default()
	router.POST("/plants", auth, func(c *gin.Context) {
		var plant NewPlant
		if err := c.ShouldBindJSON(&plant); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, plant.Plant)
	})
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
