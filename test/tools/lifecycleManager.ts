import { toolsFolder } from "../../toolchain/bootstrap/paths";
import { complete, toolFolder } from "../../toolchain/tools/folder";
import type { Tool } from "../../toolchain/tools/table";

/** The commit of August 2026 after release 1.20.4, which the double copies too. */
const COMMIT = "c5b83f1b542602bb27a5fd950319cca354d189f1";
const KINDS = ["kymas", "manifests", "modulereleasemetas", "moduletemplates", "watchers"];

/** Lifecycle Manager of Kyma, which is published as an image only, with its CRDs. */
export const lifecycleManager: Tool = {
  name: "lifecycle-manager",
  title: "Lifecycle Manager of Kyma",
  version: `1.20.4-${COMMIT.slice(0, 8)}`,
  programs: ["lifecycle-manager"],
  present: {},
  archives: () => [],
  builds: [
    {
      module: "lifecycle-manager",
      checkout: { repository: "kyma-project/lifecycle-manager", tag: COMMIT },
      package: "./cmd",
      output: "lifecycle-manager",
      variables: { "main.buildVersion": COMMIT },
      copies: {
        module: "github.com/kyma-project/lifecycle-manager",
        files: {
          "resources.yaml": "skr-webhook/resources.yaml",
          ...Object.fromEntries(
            KINDS.map((kind) => [`${kind}.yaml`, `config/crd/bases/operator.kyma-project.io_${kind}.yaml`]),
          ),
        },
      },
    },
  ],
  buildMinutes: 12,
};

/** Whether to use it: it was installed before, or the environment asks for it, as the nightly workflow does. */
export const usesLifecycleManager = (root: string, asked = process.env["STACKYARD_LIFECYCLE_MANAGER"]): boolean =>
  asked === "1" || complete(toolFolder(toolsFolder(), lifecycleManager, root), lifecycleManager);
