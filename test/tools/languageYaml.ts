import type { Tool } from "../../toolchain/tools/table";

const YAML = "1.25.0";

/** Pulumi's language host for YAML. Only tests need it, so `make up` does not install it. */
export const languageYaml: Tool = {
  name: "pulumi-language-yaml",
  title: "Pulumi's language host for YAML",
  version: YAML,
  programs: ["pulumi-language-yaml"],
  present: {},
  archives: ({ os, arch }) => [
    {
      url: `https://github.com/pulumi/pulumi-yaml/releases/download/v${YAML}/pulumi-language-yaml-v${YAML}-${os}-${arch}.tar.gz`,
      checksums: `https://github.com/pulumi/pulumi-yaml/releases/download/v${YAML}/pulumi-yaml-${YAML}-checksums.txt`,
      programs: { "pulumi-language-yaml": "pulumi-language-yaml" },
    },
  ],
  builds: [
    {
      module: "language-yaml",
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
      output: "pulumi-language-yaml",
      variables: { "github.com/pulumi/pulumi-yaml/pkg/version.Version": `v${YAML}` },
    },
  ],
  buildMinutes: 2,
};
