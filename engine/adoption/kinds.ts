import { SLOT_ALLOCATION } from "../../components/resources/tokens";
import type { SlotSize } from "../../components/runtime/size";
import type { KubernetesProvisioner } from "../../components/runtime/types/kubernetes/spec";
import { Failure, UsageError } from "../../foundation/errors";
import { connect } from "../../kubernetes/connect/connect";
import { withAuthentication } from "../../kubernetes/gardener/existing";
import { wantsHibernation } from "../../kubernetes/gardener/shoot";
import { asDescribed } from "../../kubernetes/gardener/versionFields";
import { bytesOf } from "../../kubernetes/objects/bytes";
import { refOf, at, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import type { RuntimeOrphan, SetOrphan, ShootOrphan, SlotsOrphan } from "../orphans/orphan";
import type { DeploymentChange } from "../stack/change";
import type { ResourceState } from "../pulumi/state/checkpoint";
import { clusterRequestOf } from "./gardener/seen";

/**
 * Reconstructs a deployment from its live workloads. Templates can do anything, so this is a guess: the version is the
 * tag of the provisioner's image, and the slots follow from the container's CPU request. Pure.
 */
export function seenIn(
  workloads: readonly KubeObject[],
  spec: KubernetesProvisioner,
  slot: SlotSize,
): DeploymentChange {
  const containers = workloads.flatMap((object) => listAt(object, "spec", "template", "spec", "containers"));
  const prefix = `${spec.image}:`;
  const own = containers.find((one) => textAt(one, "image")?.startsWith(prefix));
  const version = own && textAt(own, "image")?.slice(prefix.length);
  const cpus = cpusOf(at(own, "resources", "requests", "cpu") ?? at(own, "resources", "limits", "cpu"));
  const slots = cpus === undefined ? undefined : Math.round((cpus / slot.cpu) * 1000) / 1000;
  const known = slots !== undefined && Number.isInteger(slots) && slots > 0 ? slots : undefined;
  const isAsleep = workloads.length > 0 && workloads.every((object) => at(object, "spec", "replicas") === 0);
  return {
    ...(version !== undefined && { version }),
    ...(known !== undefined && { slots: known }),
    ...diskIn(workloads, (known ?? 0) * slot.diskGb),
    ...(isAsleep && { state: "hibernated" as const }),
  };
}

const GIB = 2 ** 30;

/** Only set if it differs from the disk that the slots imply. */
function diskIn(workloads: readonly KubeObject[], given: number): DeploymentChange {
  const templates = workloads.flatMap((object) => listAt(object, "spec", "volumeClaimTemplates"));
  const size = bytesOf(at(templates[0], "spec", "resources", "requests", "storage"));
  const diskGb = size === undefined ? undefined : size / GIB;
  return diskGb === undefined || diskGb === given ? {} : { diskGb };
}

/** Converts a quantity such as `2`, `0.5` or `500m` to CPUs. */
function cpusOf(quantity: unknown): number | undefined {
  const [, number, milli] = /^(\d+(?:\.\d+)?)(m?)$/.exec(String(quantity)) ?? [];
  if (number === undefined) return undefined;
  return milli === "m" ? Number(number) / 1000 : Number(number);
}

const WORKLOADS = new Set(["StatefulSet", "Deployment"]);
const PATIENCE_MS = 5_000;

/** What a look at an orphan gets. */
interface LookContext {
  readonly slot: SlotSize;
  /** The deployment in the stack file of this checkout. */
  readonly inFile: DeploymentChange;
}

/** How a runtime that is an orphan is adopted, besides what its kind in orphans/ says. */
interface AdoptionKind<O extends RuntimeOrphan> {
  /** Owner id that its parts keep. Default: they are taken over without one, and exactly as they are. */
  owner?(orphan: O): string;
  /** Whether a resource of the deployment's stack is the orphan itself. Default: it never is. */
  isSame?(orphan: O, resource: Pick<ResourceState, "type" | "inputs">): boolean;
  /** Fields that the request must give where the orphan does not show them. */
  readonly needed: readonly ("slots" | "version")[];
  /** The fields of the deployment that the orphan shows. */
  seen(orphan: O, context: LookContext): DeploymentChange | Promise<DeploymentChange>;
  /** Throws if the orphan can't be adopted as the deployment describes it. */
  check?(orphan: O, deployment: DeploymentChange): void;
}

const slots: AdoptionKind<SlotsOrphan> = {
  isSame: ({ spec, id }, { type, inputs: { pool, deployment } = {} }) =>
    type === SLOT_ALLOCATION && pool === spec.pool && deployment === id,
  needed: ["slots", "version"],
  seen: (orphan) => ({ slots: orphan.slots }),
  check({ id, slots: own }, deployment) {
    if (deployment.slots === own) return;
    throw new UsageError(`--slots: found ${deployment.slots}; ${id} has ${own}, and adopting changes nothing`);
  },
};

const set: AdoptionKind<SetOrphan> = {
  owner: ({ owner }) => owner,
  needed: ["slots", "version"],
  async seen(orphan, { slot }) {
    const { id, way, objects, namespace, provisioner } = orphan;
    const spec = orphan.spec ?? withoutProvisioner(orphan);
    if (spec.namespace !== namespace) {
      throw new Failure(
        `${id} is in namespace ${namespace}; its provisioner "${provisioner}" has namespace ${spec.namespace} now. Restore that ` +
          "namespace for as long as this command runs; afterwards the runtime stays where it is",
      );
    }
    const client = connect(way.kubeconfig, way.context, { patienceMs: PATIENCE_MS });
    const workloads = objects.map(refOf).filter(({ kind }) => WORKLOADS.has(kind));
    const live = await Promise.all(workloads.map((ref) => client.get(ref)));
    return seenIn(
      live.filter((object) => object !== undefined),
      spec,
      slot,
    );
  },
};

const cluster: AdoptionKind<ShootOrphan> = {
  owner: ({ owner }) => owner,
  needed: [],
  async seen(orphan, { inFile }) {
    const { spec, shoot, garden } = orphan;
    if (spec === undefined) withoutProvisioner(orphan);
    const client = connect(garden.kubeconfig, garden.context, { patienceMs: PATIENCE_MS });
    const described = asDescribed(await withAuthentication(client, shoot));
    // The list of administrators is only in the cluster itself, so it comes from the stack file.
    const administrators = inFile.cluster?.administrators;
    return {
      cluster: { ...clusterRequestOf(described), ...(administrators && { administrators }) },
      ...(wantsHibernation(shoot) && { state: "hibernated" as const }),
    };
  },
};

function withoutProvisioner({ id, provisioner, platform }: RuntimeOrphan): never {
  throw new Failure(
    `${id} is with provisioner "${provisioner}", which is not in the set of platform ${platform} any more. Put it back, or ` +
      `remove the orphan with: stackyard runtime remove-orphan ${id}`,
  );
}

const KINDS: {
  readonly [Type in RuntimeOrphan["type"]]: AdoptionKind<Extract<RuntimeOrphan, { readonly type: Type }>>;
} = { static: slots, kubernetes: set, gardener: cluster };

export const adoptionOf = ({ type }: RuntimeOrphan): AdoptionKind<RuntimeOrphan> => KINDS[type];
