import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { planSecret, planValues } from "../../../components/jupyterhub/plan";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { mergeValues } from "../../../foundation/json/merge";
import { projectRoot } from "../../../toolchain/root";

const TOKENS = { cookieSecret: "c0".repeat(32), cryptKey: "d1".repeat(32) };

/** How the chart's double configures a Hub. */
export const HUB_CONFIG = path.join(projectRoot(), "test/doubles/charts/jupyterhub/files/hub/jupyterhub_config.py");

export interface ChartValues {
  readonly hub: {
    readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly extraConfig?: Readonly<Record<string, string>>;
  };
  readonly singleuser: { readonly profileList: readonly Readonly<Record<string, unknown>>[] };
}

export const valuesOf = (settings: JupyterHubSettings): ChartValues =>
  mergeValues({}, planValues(settings, { secretChecksum: "sum" }))["jupyterhub"] as ChartValues;

/** Writes the Secrets of a Hub as its pod has them, and more files. */
export function writeConfig(
  folder: string,
  settings: JupyterHubSettings,
  more: Readonly<Record<string, string>>,
): void {
  const own = Object.entries(planSecret(settings, TOKENS));
  const files = [
    ["secret/values.yaml", JSON.stringify(valuesOf(settings))],
    ...own.map(([name, text]) => [`existing-secret/${name}`, text]),
    ...Object.entries(more),
  ] as [string, string][];
  for (const [name, text] of files) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  }
}
