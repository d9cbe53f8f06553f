import * as z from "zod";
import { mismatch, type Fault, type Path } from "../../../../foundation/schema/faults";
import { checkedText, count, flag, positive, strict, listOf } from "../../../../foundation/schema/fields";
import { checkHost } from "../../../../foundation/schema/urls";
import { absolute, audience } from "../fields";
import type { CheckContext, ProvisionerConfig } from "../provisionerType";

const host = strict("an object with host and slots", {
  host: checkedText(
    "a URL of scheme, host and port only, such as http://runtime-1.example.com:9091",
    checkHost,
    /^https?:\/\/[^\/]+$/,
  ).describe("URL of the runtime. It identifies the runtime in the ledger, across all pools."),
  slots: count("a whole number from 1").describe("Number of slots of the runtime."),
  dataDir: absolute().default("/mnt/data").describe("Directory for data on that host."),
  audienceUrl: audience().optional().describe("Audience (JWT) of the runtime. Default: its host."),
  weight: positive("a number above 0", 1000)
    .default(1)
    .describe(
      "Share of the load: a host of weight 2 counts as half as full as one of weight 1 with the same slots in use.",
    ),
  drain: flag().default(false).describe("`true`: the host keeps its deployments and gets no new ones."),
});

export const staticSchema = strict("an object", {
  type: z.literal("static").describe("A pool of existing runtimes. A deployment gets slots on one of them."),
  spec: strict("an object with runtimes", {
    runtimes: listOf(host, "runtimes").min(1, { error: "at least one runtime" }).describe("The runtimes of the pool."),
  }).describe("The pool."),
});

type StaticInput = z.output<typeof staticSchema>;

export const decodeStatic = (_context: unknown, _base: Path, { spec }: StaticInput): ProvisionerConfig => ({
  type: "static",
  hosts: spec.runtimes.map((host) => ({ ...host, audienceUrl: host.audienceUrl ?? host.host })),
  settings: {},
});

/** A host must be unique in a pool. In two pools it must have the same slots, because the ledger counts by host. */
export function staticFaults(
  provisioners: Readonly<Record<string, StaticInput>>,
  { found }: Pick<CheckContext, "found">,
): Fault[] {
  const hosts = new Map<string, { readonly slots: number; readonly provisioner: string }>();
  return Object.entries(provisioners).flatMap(([name, provisioner]) => {
    const here = new Set<string>();
    return provisioner.spec.runtimes.flatMap(({ host, slots }, index) => {
      const path: Path = ["provisioners", name, "spec", "runtimes", index];
      if (here.has(host))
        return mismatch([...path, "host"], found([...path, "host"]), "a host that this pool does not have yet");
      here.add(host);
      const other = hosts.get(host);
      if (other === undefined) hosts.set(host, { slots, provisioner: name });
      if (other === undefined || other.slots === slots) return [];
      return mismatch(
        [...path, "slots"],
        String(slots),
        `${other.slots}, as for the same host in provisioner ${other.provisioner}`,
      );
    });
  });
}
