import { toolsFolder } from "../../toolchain/bootstrap/paths";
import { complete, toolFolder } from "../../toolchain/tools/folder";
import type { Tool } from "../../toolchain/tools/table";

const VELERO = "1.18.1";
const PLUGIN = "1.14.2";

/** The server of Velero and its command line. Only tests need it, so `make up` does not install it. */
export const velero: Tool = {
  name: "velero",
  title: "Velero",
  version: VELERO,
  programs: ["velero"],
  present: { probes: [{ program: "velero", args: ["version", "--client-only"], answer: `v${VELERO}` }] },
  archives: ({ os, arch }) => [
    {
      url: `https://github.com/vmware-tanzu/velero/releases/download/v${VELERO}/velero-v${VELERO}-${os}-${arch}.tar.gz`,
      checksums: `https://github.com/vmware-tanzu/velero/releases/download/v${VELERO}/CHECKSUM`,
      programs: { velero: `velero-v${VELERO}-${os}-${arch}/velero` },
    },
  ],
  builds: [
    {
      module: "velero",
      package: "github.com/vmware-tanzu/velero/cmd/velero",
      output: "velero",
      variables: { "github.com/vmware-tanzu/velero/pkg/buildinfo.Version": `v${VELERO}` },
    },
  ],
  buildMinutes: 7,
};

/** Its plugin for S3 and EBS, which is published as an image only. */
export const veleroPlugin: Tool = {
  name: "velero-plugin-for-aws",
  title: "Velero's plugin for AWS",
  version: PLUGIN,
  programs: ["velero-plugin-for-aws"],
  present: {},
  archives: () => [],
  builds: [
    {
      module: "velero",
      package: "github.com/vmware-tanzu/velero-plugin-for-aws/velero-plugin-for-aws",
      output: "velero-plugin-for-aws",
      variables: {},
    },
  ],
  buildMinutes: 3,
};

/** Whether to use Velero: it was installed before, or the environment asks for it, as the nightly workflow does. Its build takes ten minutes. */
export const usesVelero = (root: string, asked = process.env["STACKYARD_VELERO"]): boolean =>
  asked === "1" || [velero, veleroPlugin].every((tool) => complete(toolFolder(toolsFolder(), tool, root), tool));
