import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type Place } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import type { KubernetesInput, ProvisionerInput, StaticInput } from "./schema";

/** The parts of a config whose shape is right; a part that is wrong is skipped, and reported elsewhere. */
export interface Pieces {
  /** All names in the set, whether or not what they name is right. */
  readonly provisionerNames: ReadonlySet<string>;
  /** Whether there is anything under `cluster`. */
  readonly clusterGiven: boolean;
  readonly provisioners: Readonly<Record<string, ProvisionerInput>>;
  readonly defaultProvisioner: string | undefined;
  readonly environments: Readonly<Record<string, { readonly provisioner: string }>>;
  readonly ledger: string | undefined;
}

/** What each part alone cannot show: names that must exist, hosts that must not repeat, keys that exclude each other. */
export function crossChecks(pieces: Pieces, place: Place): Fault[] {
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

/** The default and the environments name provisioners of the set. */
function references(pieces: Pieces, found: Found): Fault[] {
  const names = [...pieces.provisionerNames];
  const named = Object.entries(pieces.environments).map(
    ([environment, { provisioner }]) => [["environments", environment, "provisioner"], provisioner] as const,
  );
  const all: (readonly [Path, string])[] = [...named];
  if (pieces.defaultProvisioner !== undefined) all.unshift([["defaultProvisioner"], pieces.defaultProvisioner]);
  // Without any provisioner the missing set is the one fault to report.
  if (names.length === 0) return [];
  return all
    .filter(([, name]) => !pieces.provisionerNames.has(name))
    .map(([path, name]) => mismatch(path, found(path), `one of ${names.join(", ")}`, didYouMean(name, names)));
}

/** A host once in a pool; in two pools with the same number of slots, because the ledger counts by host. */
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
