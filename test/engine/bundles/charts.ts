import path from "node:path";
import { mkdirSync, rmSync } from "node:fs";
import { write } from "../../unit/bundles/samples";
import type { Properties } from "../../../foundation/pulumi/resource";
import type { ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import type { Release, World } from "./world";

export type Files = Readonly<Record<string, string>>;

export const CHART = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";

/** A ConfigMap as a template. */
export const map = (name: string, data: string, annotations = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${annotations === "" ? "" : `  annotations: ${annotations}\n`}data:\n  text: ${data}\n`;

export const job = (name: string, annotations: string, image = "example/job:1"): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  annotations: ${annotations}\n` +
  `spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: "${image}" }] } } }\n`;

/** A release of a chart, driven as the engine drives it. */
export class ChartRelease {
  readonly release: Release;
  readonly folder: string;

  constructor(
    readonly world: World,
    name = "shop",
    more: Properties = {},
  ) {
    this.folder = path.join(world.folder, `${name}-chart`);
    this.release = world.release(name, { format: "helm", sources: [{ type: "local", path: this.folder }], ...more });
  }

  async write(files: Files): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
    await write(this.folder, { "Chart.yaml": CHART, ...files });
  }

  async up(files: Files, values: object = {}, more: Properties = {}): Promise<ReleaseState> {
    await this.write(files);
    return this.release.up({}, { values, ...more });
  }

  async preview(files: Files, values: object = {}, more: Properties = {}): Promise<ReleaseState> {
    await this.write(files);
    return this.release.preview({}, { values, ...more });
  }
}
