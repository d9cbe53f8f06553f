import type { Deployment } from "../../components/runtime/platform";
import type { StackState } from "../state/checkpoint";

/** What was asked for, as the program keeps it in the state beside the resource that carries it out. */
export interface RuntimeRecord {
  readonly deployment: Deployment;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  /** Provisioner that was settled on. */
  readonly provisioner: string;
  /** Digest of the provisioner's settings that the runtime was brought up by. */
  readonly revision?: string;
  /** When it became so, and by which command. */
  readonly change?: { readonly command: string; readonly at: string };
}

const KEEPERS: ReadonlySet<string> = new Set(["stackyard:index:ManifestSet", "stackyard:index:SlotAllocation"]);

/** What was asked for last, be it done or only begun; undefined where an older version made the runtime. */
export function recordOf({ resources }: StackState): RuntimeRecord | undefined {
  const records = resources
    .filter(({ type, delete: left }) => KEEPERS.has(type) && left !== true)
    .flatMap(({ outputs }) => {
      const { deployment, platform, provisioner } = (outputs?.["record"] ?? {}) as Partial<RuntimeRecord>;
      const isComplete =
        typeof deployment === "object" && typeof platform === "string" && typeof provisioner === "string";
      return isComplete ? [outputs?.["record"] as RuntimeRecord] : [];
    });
  return records.sort((a, b) => ((a.change?.at ?? "") < (b.change?.at ?? "") ? -1 : 1)).at(-1);
}
