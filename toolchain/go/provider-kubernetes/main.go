// Command pulumi-resource-kubernetes is the upstream Kubernetes provider, built from its module.
// The two JSON files are copied out of that module's folder by the toolchain before the build.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

var version = "0.0.0"

func main() {
	provider.Serve("kubernetes", version, schema, terraformMapping)
}
