import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import { projectRoot } from "../../../toolchain/root";
import { Project } from "../cli/project";
import type { Place } from "../runtime/world";
import { install, writeOwn } from "./newProject";

/** A program of `examples/` as another team has it, with its stack `dev`. */
export class Example {
  readonly project: Project;

  private constructor(
    place: Place,
    readonly name: string,
  ) {
    this.project = new Project({ ...place, env: { ...place.env, STACKYARD_PLATFORM: "dev" } });
  }

  /** `secrets`: what its config has besides the kubeconfig. */
  static async of(place: Place, name: string, secrets: Readonly<Record<string, string>> = {}): Promise<Example> {
    const one = new Example(place, name);
    const { folder } = one.project;
    await install(folder, writeOwn);
    cpSync(path.join(projectRoot(), "examples", name), folder, { recursive: true });
    await one.project.must("pulumi", "stack", "init", "dev", "--no-select");
    const all = Object.entries({ kubeconfig: readFileSync(place.kubeconfig, "utf8"), ...secrets });
    const flags = all.flatMap(([key, value]) => ["--secret", `${key}=${value}`]);
    await one.project.must("pulumi", "config", "set-all", "-s", "dev", ...flags);
    return one;
  }

  set(key: string, value: string, ...more: string[]): Promise<string> {
    return this.project.must("pulumi", "config", "set", "-s", "dev", key, value, ...more);
  }

  /** Writes values that are not secret into the stack file. */
  configure(values: Readonly<Record<string, unknown>>): void {
    const file = path.join(this.project.folder, "Pulumi.dev.yaml");
    const written = parse(readFileSync(file, "utf8")) as { config: object };
    writeFileSync(file, stringify({ ...written, config: { ...written.config, ...values } }));
  }

  /** Updates the stack; a second preview must have no changes. Returns what the update printed. */
  async up(): Promise<string> {
    const said = await this.project.must("pulumi", "up", "-s", "dev", "--yes", "--skip-preview");
    await this.project.must("pulumi", "preview", "-s", "dev", "--expect-no-changes");
    return said;
  }

  outputs(...flags: string[]): Promise<string> {
    return this.project.must("pulumi", "stack", "output", "-s", "dev", "--json", ...flags);
  }

  /** Destroys the stack, and checks that its state has no resource of ours. */
  async destroy(): Promise<void> {
    await this.project.must("pulumi", "destroy", "-s", "dev", "--yes", "--skip-preview");
    assert.doesNotMatch(await this.project.must("pulumi", "stack", "export", "-s", "dev"), /stackyard:index/);
  }

  remove(): Promise<void> {
    return this.project.remove("dev");
  }
}
