import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import type { KubernetesInput, ProvisionerInput, StaticInput } from "./schema";

/** The valid parts of a config. A part with faults is not set, and reported elsewhere. */
export interface Pieces {
  /** All provisioner names, including those of invalid provisioners. */
  readonly provisionerNames: ReadonlySet<string>;
  /** Whether `cluster` is set at all. */
  readonly clusterGiven: boolean;
  readonly provisioners: Readonly<Record<string, ProvisionerInput>>;
  readonly defaultProvisioner: string | undefined;
  readonly environments: Readonly<Record<string, { readonly provisioner: string }>>;
  readonly ledger: string | undefined;
}

/** Checks across parts: names that must exist, hosts that must be unique, keys that exclude each other. */
export function crossChecks(pieces: Pieces, place: FaultContext): Fault[] {
  const found = (path: Path): string => foundAt(place, path);
  const hosts = new Map<string, { readonly slots: number; readonly provisioner: string }>();
  return [
    ...references(pieces, found),
    ...Object.entries(pieces.provisioners).flatMap(([name, provisioner]) => {
      if (provisioner.type === "static") return hostFaults(name, provisioner, hosts, found);
      return provisioner.type === "kubernetes" ? kubernetesFaults(name, provisioner, pieces, found) : [];
    }),
  ];
}

type Found = (path: Path) => string;

/** Checks that the default and the environments name existing provisioners. */
function references(pieces: Pieces, found: Found): Fault[] {
  const names = [...pieces.provisionerNames];
  const named = Object.entries(pieces.environments).map(
    ([environment, { provisioner }]) => [["environments", environment, "provisioner"], provisioner] as const,
  );
  const all: (readonly [Path, string])[] = [...named];
  if (pieces.defaultProvisioner !== undefined) all.unshift([["defaultProvisioner"], pieces.defaultProvisioner]);
  // Without any provisioner, the missing set is reported instead.
  if (names.length === 0) return [];
  return all
    .filter(([, name]) => !pieces.provisionerNames.has(name))
    .map(([path, name]) => mismatch(path, found(path), `one of ${names.join(", ")}`, didYouMean(name, names)));
}

/** A host must be unique in a pool. In two pools it must have the same slots, because the ledger counts by host. */
function hostFaults(
  name: string,
  provisioner: StaticInput,
  hosts: Map<string, { readonly slots: number; readonly provisioner: string }>,
  found: Found,
): Fault[] {
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
}

function kubernetesFaults(name: string, { spec }: KubernetesInput, pieces: Pieces, found: Found): Fault[] {
  const base: Path = ["provisioners", name, "spec"];
  const faults: Fault[] = [];
  if (spec.kubeconfig !== undefined && spec.cluster !== undefined) {
    faults.push(mismatch([...base, "cluster"], found([...base, "cluster"]), "either cluster or kubeconfig, not both"));
  }
  if (spec.kubeconfig === undefined && !pieces.clusterGiven) {
    const expected = `a cluster, because provisioner ${name} uses the platform's`;
    faults.push(mismatch(["cluster"], "nothing", expected, `or give ${name} a spec.kubeconfig of its own`));
  }
  const { templates } = spec;
  if (templates === undefined) return faults;
  if (templates.statefulset !== undefined && templates.deployment !== undefined) {
    const path = [...base, "templates", "deployment"];
    faults.push(mismatch(path, found(path), "either statefulset or deployment, not both"));
  }
  if (templates.statefulset === undefined && templates.deployment === undefined) {
    const expected = "a statefulset or a deployment among the templates";
    faults.push(
      mismatch([...base, "templates"], found([...base, "templates"]), expected, "omit templates for the built-in ones"),
    );
  }
  return faults;
}
