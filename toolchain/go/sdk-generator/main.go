// Command sdk-generator writes the SDK of a package schema for one language, as `pulumi package gen-sdk` does through the
// language's host. Hosts that are built from Go modules are too old for that, and the CLI's module has the generators.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-language"

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: sdk-generator SCHEMA LANGUAGE FOLDER"))
	}
	files, err := generate(os.Args[1], os.Args[2])
	if err == nil {
		err = write(files, os.Args[3])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "error: %v\n", err)
	os.Exit(1)
}

func generate(path, language string) (map[string][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	loader := schema.NewCachedLoader(schema.NewPluginLoader(nil))
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	switch language {
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader)
	case "python":
		return python.GeneratePackage(tool, pkg, nil, loader)
	}
	return nil, fmt.Errorf("found language %q; expected go, nodejs or python", language)
}

func write(files map[string][]byte, folder string) error {
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
