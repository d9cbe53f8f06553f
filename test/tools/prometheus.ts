import { toolsFolder } from "../../toolchain/bootstrap/paths";
import { complete, toolFolder } from "../../toolchain/tools/folder";
import type { Tool } from "../../toolchain/tools/table";

const PROMETHEUS = "3.14.0";

const tool = (program: string, title: string, buildMinutes: number): Tool => ({
  ...{ name: program, title, version: PROMETHEUS, programs: [program], buildMinutes },
  present: { probes: [{ program, args: ["--version"], answer: `version ${PROMETHEUS}` }] },
  archives: ({ os, arch }) => {
    const name = `prometheus-${PROMETHEUS}.${os}-${arch}`;
    const release = `https://github.com/prometheus/prometheus/releases/download/v${PROMETHEUS}`;
    const programs = { [program]: `${name}/${program}` };
    return [{ url: `${release}/${name}.tar.gz`, checksums: `${release}/sha256sums.txt`, programs }];
  },
  builds: [
    {
      module: "prometheus",
      package: `github.com/prometheus/prometheus/cmd/${program}`,
      // Targets are in files here; the clients of all clouds would double the time of the build.
      tags: "remove_all_sd",
      output: program,
      variables: { "github.com/prometheus/common/version.Version": PROMETHEUS },
    },
  ],
});

/** What checks rules and queries, of the version that `examples/operations` installs. Only tests need it. */
export const promtool = tool("promtool", "promtool of Prometheus", 2);

/** Its server. */
export const prometheus = tool("prometheus", "Prometheus", 3);

/** Whether to use one of them: it was installed before, or the environment asks for both, as the nightly workflow does. */
export const usesPrometheus = (root: string, one: Tool, asked = process.env["STACKYARD_PROMETHEUS"]): boolean =>
  asked === "1" || complete(toolFolder(toolsFolder(), one, root), one);
