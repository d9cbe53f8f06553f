import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { Project } from "../cli/project";
import type { Place } from "../runtime/world";
import { install } from "./newProject";
import { sdkText } from "./sdk";
import { buildPackage } from "../../../toolchain/release/package";

/** A program of `examples/` as another team has it, with a stack `here`. */
export class Example {
  readonly project: Project;

  private constructor(
    place: Place,
    readonly name: string,
  ) {
    this.project = new Project(place);
  }

  static async of(place: Place, name: string): Promise<Example> {
    const one = new Example(place, name);
    const { folder } = one.project;
    await install(folder, (own) => buildPackage(projectRoot(), own));
    cpSync(path.join(projectRoot(), "examples", name), folder, { recursive: true });
    await one.project.must("pulumi", "stack", "init", "here", "--no-select");
    await one.set("kubeconfig", readFileSync(place.kubeconfig, "utf8"), "--secret");
    return one;
  }

  /** Puts a stand-in for the SDK for Node.js beside the program, which no language host here can generate. */
  withSdk(): this {
    const file = path.join(this.project.folder, "index.js");
    writeFileSync(path.join(this.project.folder, "sdk.js"), sdkText());
    writeFileSync(file, readFileSync(file, "utf8").replace("@pulumi/stackyard", "./sdk"));
    return this;
  }

  set(key: string, value: string, ...more: string[]): Promise<string> {
    return this.project.must("pulumi", "config", "set", "-s", "here", key, value, ...more);
  }

  /** Updates the stack; a second preview must have no changes. Returns what the update printed. */
  async up(): Promise<string> {
    const said = await this.project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    await this.project.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
    return said;
  }

  outputs(...flags: string[]): Promise<string> {
    return this.project.must("pulumi", "stack", "output", "-s", "here", "--json", ...flags);
  }

  destroy(): Promise<string> {
    return this.project.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview");
  }
}
