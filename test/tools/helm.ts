import type { Tool } from "../../toolchain/tools/table";

/** Uses the Kubernetes modules of the control plane's version, so that builds share compiled packages. */
const HELM = "4.2.4";

/** Helm itself. Only tests need it, so `make up` does not install it. */
export const helm: Tool = {
  name: "helm",
  title: "Helm",
  version: HELM,
  programs: ["helm"],
  present: { probes: [{ program: "helm", args: ["version", "--short"], answer: `v${HELM}` }] },
  archives: ({ os, arch }) => [
    {
      url: `https://get.helm.sh/helm-v${HELM}-${os}-${arch}.tar.gz`,
      checksums: `https://get.helm.sh/helm-v${HELM}-${os}-${arch}.tar.gz.sha256sum`,
      programs: { helm: `${os}-${arch}/helm` },
    },
  ],
  builds: [
    {
      module: "helm",
      package: "helm.sh/helm/v4/cmd/helm",
      output: "helm",
      variables: { "helm.sh/helm/v4/internal/version.version": `v${HELM}` },
    },
  ],
  buildMinutes: 2,
};
