import path from "node:path";
import { toolsFolder } from "../../toolchain/bootstrap/paths";
import { complete, toolFolder } from "../../toolchain/tools/folder";
import type { Tool } from "../../toolchain/tools/table";
import type { ProcessImage } from "../../toolchain/yard/processNode/images";

const MODULE = "github.com/ray-project/kuberay/ray-operator";

/** Its kinds and the role of its service account, beside the program. */
export const KUBERAY_FILES = {
  "rayclusters.yaml": "config/crd/bases/ray.io_rayclusters.yaml",
  "raycronjobs.yaml": "config/crd/bases/ray.io_raycronjobs.yaml",
  "rayjobs.yaml": "config/crd/bases/ray.io_rayjobs.yaml",
  "rayservices.yaml": "config/crd/bases/ray.io_rayservices.yaml",
  "role.yaml": "config/rbac/role.yaml",
} as const;

/** The KubeRay operator, which is published as an image only. */
export const kuberay: Tool = {
  name: "kuberay-operator",
  title: "KubeRay operator",
  version: "1.6.2",
  programs: ["kuberay-operator"],
  present: {},
  archives: () => [],
  builds: [
    {
      module: "kuberay",
      package: MODULE,
      output: "kuberay-operator",
      variables: {},
      copies: { module: MODULE, files: KUBERAY_FILES },
    },
  ],
  buildMinutes: 5,
};

/** Whether to use the operator: it was built before, or the environment asks for it, as the nightly workflow does. */
export const usesKuberay = (root: string, asked = process.env["STACKYARD_KUBERAY"]): boolean =>
  asked === "1" || complete(toolFolder(toolsFolder(), kuberay, root), kuberay);

/** Its image on a node whose pods run. */
export const kuberayImage = (program: string): ProcessImage => ({
  name: "(^|/)kuberay/operator:",
  folders: [path.dirname(program)],
  env: { PATH: path.dirname(program) },
  command: ["kuberay-operator"],
  user: 65532,
  workingDir: "/",
});
