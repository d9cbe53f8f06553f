import type { Tool } from "./table";

const KARPENTER = "1.14.1";
const MODULE = "sigs.k8s.io/karpenter";

/**
 * Karpenter with its provider of simulated nodes, which has no releases. `make up` does not need it; `make
 * karpenter-up` and `make test` build it. Its CustomResourceDefinitions come from the same module.
 */
export const karpenter: Tool = {
  name: "karpenter",
  title: "Karpenter with simulated nodes",
  version: KARPENTER,
  programs: ["karpenter"],
  present: {},
  archives: () => [],
  builds: [
    {
      module: "karpenter",
      package: `${MODULE}/kwok`,
      output: "karpenter",
      variables: { [`${MODULE}/pkg/operator.Version`]: KARPENTER },
      copies: {
        module: MODULE,
        files: {
          "nodeclaims.yaml": "kwok/charts/crds/karpenter.sh_nodeclaims.yaml",
          "nodepools.yaml": "kwok/charts/crds/karpenter.sh_nodepools.yaml",
          "kwoknodeclasses.yaml": "kwok/apis/crds/karpenter.kwok.sh_kwoknodeclasses.yaml",
        },
      },
    },
  ],
  buildMinutes: 4,
};

/** CustomResourceDefinitions next to the program. */
export const KARPENTER_CRDS = ["nodeclaims.yaml", "nodepools.yaml", "kwoknodeclasses.yaml"] as const;
