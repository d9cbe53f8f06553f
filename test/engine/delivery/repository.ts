import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { parseDocument } from "yaml";
import { Project } from "../cli/project";
import type { Place } from "../runtime/world";

/** A project in a repository of git, with two platform stacks: `here` is deployed, `there` has the same config but for its namespace. */
export class Repository {
  readonly project: Project;

  constructor(
    readonly place: Place,
    private readonly tag: string,
  ) {
    this.project = new Project(place);
  }

  async prepare(): Promise<void> {
    const { project } = this;
    const spec = {
      namespace: this.namespaces[0],
      createNamespace: true,
      host: "http://*.x.localhost",
      image: "example/r",
    };
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: this.place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    });
    await project.must("pulumi", "stack", "init", "there", "--no-select");
    const salt = /^encryptionsalt:.*$/m.exec(readFileSync(this.file("there"), "utf8"))?.[0];
    const text = readFileSync(this.file("here"), "utf8")
      .replace(/^encryptionsalt:.*$/m, salt ?? "")
      .replace(/^ {2}stackyard:ledger:\n {4}secure: .*\n/m, "");
    writeFileSync(this.file("there"), text);
    this.set("there", ["stackyard:provisioners", "only", "spec", "namespace"], this.namespaces[1]);
    this.git("init", "-q");
    this.git("remote", "add", "origin", "https://example.com/acme/platform.git");
    this.commit();
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  }

  async remove(): Promise<void> {
    await this.project.must("pulumi", "destroy", "-s", "there", "--yes", "--skip-preview", "--remove");
    await this.project.remove();
    this.kubectl("delete", "namespace", ...this.namespaces, "--ignore-not-found", "--wait=false");
  }

  get namespaces(): readonly [string, string] {
    return [`delivery-${this.tag}`, `delivery-${this.tag}-b`];
  }

  file(stack: string): string {
    return path.join(this.project.folder, `Pulumi.${stack}.yaml`);
  }

  /** Changes one value of a stack file. */
  set(stack: string, at: readonly string[], value: unknown): void {
    const document = parseDocument(readFileSync(this.file(stack), "utf8"));
    document.setIn(["config", ...at], value);
    writeFileSync(this.file(stack), document.toString());
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
    return execFileSync("git", [...who, ...args], { cwd: this.project.folder, encoding: "utf8" }).trim();
  }

  /** Commits everything; answers the commit. */
  commit(): string {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "x");
    return this.git("rev-parse", "HEAD");
  }

  kubectl(...args: string[]): void {
    execFileSync("kubectl", ["--kubeconfig", this.place.kubeconfig, ...args], { env: this.place.env });
  }
}
