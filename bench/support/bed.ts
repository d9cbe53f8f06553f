import { readFileSync } from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import { FileStore } from "../../engine/pulumi/state/fileStore";
import type { StackState } from "../../engine/pulumi/state/checkpoint";
import { projectRoot } from "../../toolchain/root";
import { startYard, type Yard } from "../../toolchain/yard/yard";
import { measure, type Cost } from "./measure";

/** Platform stack of the local yard. */
const PLATFORM = "dev";

/** The local yard with its platform, and helpers to work on it. */
export class Bed {
  private constructor(
    readonly root: string,
    readonly yard: Yard,
  ) {}

  /** Starts the yard and the platform like `make up`, unless they exist. */
  static async make(): Promise<Bed> {
    const bed = new Bed(projectRoot(), await startYard());
    await bed.run(bed.root, "make", "up");
    return bed;
  }

  /** Flags of `pulumi up` for the platform. */
  get platformFlags(): string[] {
    return ["--stack", PLATFORM];
  }

  get runtimeFolder(): string {
    return path.join(this.root, "runtime");
  }

  /** Name of the first provisioner of a type in the platform's config. */
  provisioner(type: "static" | "kubernetes"): string {
    const file = path.join(this.root, `Pulumi.${PLATFORM}.yaml`);
    const { config } = parse(readFileSync(file, "utf8")) as {
      config: Record<string, Record<string, { type: string }>>;
    };
    const found = Object.entries(config["stackyard:provisioners"] ?? {}).find(([, value]) => value.type === type);
    if (!found) throw new Error(`${file} has no provisioner of type ${type}`);
    return found[0];
  }

  pulumi(folder: string, ...args: string[]): Promise<Cost> {
    return this.run(folder, "pulumi", ...args, "--non-interactive", "--color=never");
  }

  stackyard(...args: string[]): Promise<Cost> {
    return this.run(this.root, path.join(this.root, "cli", "bin", "stackyard"), ...args);
  }

  run(folder: string, ...argv: string[]): Promise<Cost> {
    return measure({ argv, folder, env: this.yard.env });
  }

  kubectl(input: string, ...args: string[]): Promise<Cost> {
    return measure({ argv: ["kubectl", ...args], folder: this.root, env: this.yard.env, input });
  }

  /** State of a runtime's stack. */
  async state(id: string): Promise<StackState> {
    const found = await FileStore.open(this.yard.env.PULUMI_BACKEND_URL ?? "", this.root).find("stackyard-runtime", id);
    if (!found) throw new Error(`there is no stack of the runtime ${id}`);
    return found;
  }
}
