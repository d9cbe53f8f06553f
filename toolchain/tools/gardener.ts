import type { Tool } from "./table";

export interface GardenerRelease {
  readonly version: string;
  /** Day after which the Gardener community maintains it no longer: the third minor version after it is due. */
  readonly ends: string;
}

/** The releases of Gardener that are tested: the oldest and the newest supported one. */
export const GARDENER = {
  oldest: { version: "1.147.2", ends: "2026-08-30" },
  newest: { version: "1.149.3", ends: "2026-09-27" },
} as const satisfies Readonly<Record<string, GardenerRelease>>;

const MODULE = "github.com/gardener/gardener/cmd/gardener-apiserver";

/** Gardener's own API server with its admission plugins. `make garden` builds it; Gardener publishes only images. */
export const gardenerServer = ({ version }: Pick<GardenerRelease, "version">): Tool => ({
  name: "gardener-apiserver",
  title: "Gardener's API server",
  version,
  programs: ["gardener-apiserver"],
  present: { probes: [{ program: "gardener-apiserver", args: ["--version"], answer: `v${version}` }] },
  archives: () => [],
  builds: [
    {
      module: `gardener-${version.split(".").slice(0, 2).join(".")}`,
      package: MODULE,
      output: "gardener-apiserver",
      variables: { "k8s.io/component-base/version.gitVersion": `v${version}` },
    },
  ],
  buildMinutes: 5,
});
