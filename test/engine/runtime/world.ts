import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { saltIn } from "../../../toolchain/yard/pulumiSecrets";
import { makeStack, outputsOf, secure, stackFile } from "../../tools/warmPulumi/stackFile";
import { warmPulumi } from "../../tools/warmPulumi/warmPulumi";

const run = promisify(execFile);
const root = path.join(__dirname, "../../..");

/** What the tests need of a yard. */
export interface Place {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  readonly ledgerUrl: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a command of the Pulumi CLI ended. */
export interface Ended {
  readonly ok: boolean;
  /** Both streams. */
  readonly text: string;
}

export const succeeded = ({ ok, text }: Ended): void => assert.ok(ok, text);

export function failed({ ok, text }: Ended, message: RegExp): void {
  assert.ok(!ok, `expected a failure, but it went well:\n${text}`);
  assert.match(text, message);
}

/**
 * A platform and its runtimes: our two Pulumi projects with stack files and state in a folder of their own. What must be
 * distinguished in a yard that others use too, such as namespaces, has the tag in its name.
 */
export class World {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-runtime-"));
  private readonly env: Record<string, string>;

  constructor(
    readonly place: Place,
    readonly tag = randomBytes(3).toString("hex"),
  ) {
    mkdirSync(path.join(this.folder, "state"));
    this.env = { ...place.env, PULUMI_BACKEND_URL: `file://${this.folder}/state` };
    this.project("Pulumi.yaml", "platform");
    this.project("runtime/Pulumi.yaml", "runtime");
  }

  setEnv(name: string, value: string): void {
    this.env[name] = value;
  }

  unsetEnv(name: string): void {
    delete this.env[name];
  }

  /** Folder and environment of a project, for anyone who runs commands there by himself. */
  surroundings(project: string): { readonly folder: string; readonly env: Record<string, string> } {
    return { folder: path.join(this.folder, project), env: this.env };
  }

  /** The project as it is, with what it names found from another folder. */
  private project(source: string, name: string): void {
    const home = path.join(root, path.dirname(source));
    const text = readFileSync(path.join(root, source), "utf8")
      .replace(/^main: (.*)$/m, (_, main: string) => `main: ${path.join(home, main)}`)
      .replace(/^( +path: )(\..*)$/gm, (_, key: string, provider: string) => `${key}${path.join(home, provider)}`);
    mkdirSync(path.join(this.folder, name));
    writeFileSync(path.join(this.folder, name, "Pulumi.yaml"), text);
    writeFileSync(path.join(this.folder, name, "package.json"), '{ "private": true }\n');
  }

  /** A project of this program text, beside ours. */
  program(project: string, text: string): void {
    const folder = path.join(this.folder, project);
    mkdirSync(folder);
    const provider = path.join(root, "provider");
    const plugins = { providers: [{ name: "stackyard", path: provider }] };
    const main = "entry.js";
    writeFileSync(
      path.join(folder, "Pulumi.yaml"),
      JSON.stringify({ name: project, runtime: "nodejs", main, plugins }),
    );
    writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
    writeFileSync(
      path.join(folder, main),
      'require("tsx/cjs/api").register();\nmodule.exports = require("./index.ts");\n',
    );
    writeFileSync(path.join(folder, "index.ts"), text);
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  }

  /** A command of Pulumi, in the process that keeps it loaded if it can run there. */
  async pulumi(project: string, ...args: string[]): Promise<Ended> {
    const warm = await warmPulumi(args, path.join(this.folder, project), this.env);
    if (warm === undefined) return this.cli(project, ...args);
    return { ok: warm.code === 0, text: warm.stdout + warm.stderr };
  }

  /** The Pulumi CLI as a process of its own, as users run it. */
  async cli(project: string, ...args: string[]): Promise<Ended> {
    const cwd = path.join(this.folder, project);
    try {
      const { stdout, stderr } = await run("pulumi", [...args, "--non-interactive"], { cwd, env: this.env });
      return { ok: true, text: stdout + stderr };
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      if (stdout === undefined) throw error;
      return { ok: false, text: stdout + stderr };
    }
  }

  async must(...args: Parameters<World["pulumi"]>): Promise<string> {
    const { ok, text } = await this.pulumi(...args);
    if (!ok) throw new Error(`pulumi ${args.slice(1).join(" ")} failed:\n${text}`);
    return text;
  }

  /** Deploys the platform with this config; the ledger is set. */
  async platform(config: Readonly<Record<string, unknown>>): Promise<void> {
    await this.configurePlatform({ ...config, ledger: secure(this.place.ledgerUrl) });
    await this.must("platform", "up", "-s", this.tag, "--yes", "--skip-preview");
  }

  /** Writes the platform's stack file and nothing else. */
  configurePlatform = (config: Readonly<Record<string, unknown>>): Promise<void> =>
    this.configure("platform", this.tag, "stackyard", config);

  /** A runtime's stack with this deployment; what other stack files have is not touched. */
  async deployment(id: string, deployment: Readonly<Record<string, unknown>>, move?: string): Promise<void> {
    const config = {
      platform: `organization/stackyard/${this.tag}`,
      deployment,
      ...(move === undefined ? {} : { move }),
    };
    await this.configure("runtime", id, "stackyard-runtime", config);
  }

  /** Writes the config of a stack, which is made if it is not there. */
  async configure(
    project: "platform" | "runtime",
    stack: string,
    namespace: string,
    config: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const file = path.join(this.folder, project, `Pulumi.${stack}.yaml`);
    if (!this.isThere(namespace, stack)) {
      const backend = this.env["PULUMI_BACKEND_URL"];
      await makeStack(namespace, stack, { folder: path.dirname(file), backend });
    }
    const keys = Object.entries(config).map(([key, value]) => [`${namespace}:${key}`, value]);
    const salt = existsSync(file) ? saltIn(readFileSync(file, "utf8")) : undefined;
    writeFileSync(file, stackFile(Object.fromEntries(keys) as object, salt));
  }

  /** Whether the backend has a stack; a look at its file costs a hundredth of asking the command line. */
  private isThere = (project: string, stack: string): boolean =>
    existsSync(path.join(this.folder, "state", ".pulumi", "stacks", project, `${stack}.json`));

  readStackFile = (project: string, stack: string): string =>
    readFileSync(path.join(this.folder, project, `Pulumi.${stack}.yaml`), "utf8");

  writeStackFile = (project: string, stack: string, text: string): void =>
    writeFileSync(path.join(this.folder, project, `Pulumi.${stack}.yaml`), text);

  up = (id: string): Promise<Ended> => this.pulumi("runtime", "up", "-s", id, "--yes", "--skip-preview");

  /** Deploys a runtime and answers its outputs. */
  async outputs(id: string): Promise<Record<string, unknown>> {
    await this.must("runtime", "up", "-s", id, "--yes", "--skip-preview");
    return outputsOf("stackyard-runtime", id, { folder: this.folder, backend: this.env["PULUMI_BACKEND_URL"] });
  }

  /** Whether a preview finds nothing to do. */
  async isSettled(id: string): Promise<Ended> {
    return this.pulumi("runtime", "preview", "-s", id, "--expect-no-changes", "--diff");
  }

  destroy = (id: string): Promise<string> => this.must("runtime", "destroy", "-s", id, "--yes", "--skip-preview");

  /** The stack's state as it is stored. */
  async state(id: string): Promise<string> {
    return this.must("runtime", "stack", "export", "-s", id);
  }

  /** What kubectl answers, as JSON. */
  async get(...args: string[]): Promise<KubernetesObject> {
    const all = ["--kubeconfig", this.place.kubeconfig, "get", ...args, "-o", "json"];
    return JSON.parse((await run("kubectl", all, { env: this.env, maxBuffer: 1e8 })).stdout) as KubernetesObject;
  }

  async kubectl(...args: string[]): Promise<string> {
    return (await run("kubectl", ["--kubeconfig", this.place.kubeconfig, ...args], { env: this.env })).stdout;
  }

  /** Makes an object. */
  async apply(namespace: string, object: object): Promise<void> {
    const file = path.join(this.folder, "object.json");
    writeFileSync(file, JSON.stringify(object));
    await this.kubectl("apply", "-n", namespace, "-f", file);
  }

  /** Kinds and names of what is in a namespace because of us. */
  async objects(namespace: string): Promise<string[]> {
    const kinds = "statefulsets,deployments,services,ingresses,persistentvolumeclaims,pods";
    const { items = [] } = await this.get("-n", namespace, kinds);
    return items.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** As much of a Kubernetes object as the tests look at. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels?: Record<string, string> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly spec: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly status: any;
  readonly items?: readonly KubernetesObject[];
}
