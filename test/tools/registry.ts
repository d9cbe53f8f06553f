import type { Tool } from "../../toolchain/tools/table";

const REGISTRY = "3.1.2";

/** An OCI registry. Only tests need it, so `make up` does not install it. */
export const registry: Tool = {
  name: "registry",
  title: "OCI registry",
  version: REGISTRY,
  programs: ["registry"],
  present: { probes: [{ program: "registry", args: ["--version"], answer: `v${REGISTRY}` }] },
  archives: ({ os, arch }) =>
    os === "linux"
      ? [
          {
            url: `https://github.com/distribution/distribution/releases/download/v${REGISTRY}/registry_${REGISTRY}_${os}_${arch}.tar.gz`,
            checksums: `https://github.com/distribution/distribution/releases/download/v${REGISTRY}/registry_${REGISTRY}_${os}_${arch}.tar.gz.sha256`,
            programs: { registry: "registry" },
          },
        ]
      : [],
  builds: [
    {
      module: "registry",
      package: "github.com/distribution/distribution/v3/cmd/registry",
      output: "registry",
      variables: { "github.com/distribution/distribution/v3/version.version": `v${REGISTRY}` },
    },
  ],
  buildMinutes: 2,
};
