import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import type { Bed } from "./bed";
import type { Cost } from "./measure";

/** The peer of updates and previews: the minimum, a precompiled program, by default without resources. */
export class EmptyProgram {
  private readonly folder: string;

  constructor(
    private readonly bed: Pick<Bed, "root" | "pulumi">,
    private readonly name = "empty",
    text = 'require("@pulumi/pulumi");\n',
  ) {
    this.folder = path.join(bed.root, "node_modules", ".cache", "stackyard", `bench-${name}`);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(
      path.join(this.folder, "Pulumi.yaml"),
      `name: stackyard-bench-${name}\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n`,
    );
    writeFileSync(path.join(this.folder, "index.js"), text);
  }

  async init(): Promise<void> {
    await this.bed.pulumi(this.folder, "stack", "init", this.name);
  }

  run(...args: string[]): Promise<Cost> {
    return this.bed.pulumi(this.folder, ...args, "--stack", this.name);
  }

  async remove(): Promise<void> {
    await this.bed.pulumi(this.folder, "stack", "rm", this.name, "--yes", "--force");
    rmSync(this.folder, { recursive: true });
  }
}
