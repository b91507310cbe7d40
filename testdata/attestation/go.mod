module plantstore-attestation

go 1.26

require (
	github.com/in-toto/attestation v1.2.0
	github.com/stretchr/testify v1.12.1
	google.golang.org/protobuf v1.36.12
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
