import { shootName } from "../../components/runtime/types/gardener/shoot/name";
import type { ShootAccess } from "../../foundation/shootAccess";
import { isObject } from "../../foundation/json/isObject";
import { issueKubeconfig, type IssuedKubeconfig } from "../../kubernetes/connect/shootLease";
import type { KubeObject, Ref } from "../../kubernetes/objects/objects";
import { requestDeletion, forceDeletion } from "../../kubernetes/gardener/deletion";
import { OPERATION_ANNOTATION, progressOf, shootRef } from "../../kubernetes/gardener/shoot";
import type { Client } from "../../kubernetes/client/client";
import type { Garden, GardenOf, PlacedCluster } from "./gardens";
import { Looks } from "./looks";
import { WatchedShoots } from "./watched";

/** Requests are small, and callers retry. */
const PATIENCE_MS = 5_000;

/** The two ways to the Shoots of a project. */
interface Project {
  readonly looks: Looks;
  readonly watched: WatchedShoots;
}

/**
 * Reads the live Shoots of runtimes. Starts deletions, retries and forced deletions; only the engine creates and
 * updates Shoots.
 */
export class Shoots {
  /** Last seen progress of each Shoot, for when Gardener does not answer. */
  private readonly seen = new Map<string, KubeObject>();

  /** By client of a garden, then by project. */
  private readonly projects = new WeakMap<Client, Map<string, Project>>();

  /** `signal` ends what is watched. */
  constructor(
    private readonly gardenOf: GardenOf,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Undefined if there is no Shoot. Throws if Gardener does not answer. Many operations at once share requests, and may
   * wait a second for that.
   */
  async of(runtime: PlacedCluster, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const garden = await this.gardenOf(runtime);
    return this.note(runtime, await this.in(garden).looks.of(refOf(runtime, garden.project), signal));
  }

  /**
   * What a watch of the project knows of a Shoot, without a request: only its progress, and maybe from before the last
   * change. Undefined if it knows nothing.
   */
  async watched(runtime: PlacedCluster): Promise<KubeObject | undefined> {
    const garden = await this.gardenOf(runtime);
    return this.in(garden).watched.of(refOf(runtime, garden.project).name);
  }

  private in({ client, project }: Garden): Project {
    const ofClient = this.projects.get(client) ?? new Map<string, Project>();
    this.projects.set(client, ofClient);
    const known = ofClient.get(project) ?? {
      looks: new Looks(client.with({ patienceMs: PATIENCE_MS })),
      watched: new WatchedShoots({ client, namespace: namespaceOf(project), signal: this.signal }),
    };
    ofClient.set(project, known);
    return known;
  }

  private async now(runtime: PlacedCluster, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, project } = await this.gardenOf(runtime);
    const asking = client.with({ signal, patienceMs: PATIENCE_MS });
    return this.note(runtime, await asking.get(refOf(runtime, project)));
  }

  private note({ id }: PlacedCluster, shoot: KubeObject | undefined): KubeObject | undefined {
    if (shoot) this.seen.set(id, progressOf(shoot));
    else this.seen.delete(id);
    return shoot;
  }

  /**
   * Like `of`, but at once and within the time limit: if Gardener is slow or unavailable, the last seen state, or
   * undefined.
   */
  async soon(runtime: PlacedCluster, withinMs: number): Promise<KubeObject | undefined> {
    const late = AbortSignal.timeout(withinMs);
    return withDeadline(this.now(runtime, late), late).catch(() => this.seen.get(runtime.id));
  }

  /** Requests Gardener to retry a failed operation. */
  async retry(runtime: PlacedCluster, { metadata: { uid } }: KubeObject): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    const annotations = { [OPERATION_ANNOTATION]: "retry" };
    await client.merge(refOf(runtime, project), { metadata: { uid, annotations } });
  }

  /** Requests the deletion of a Shoot, or retries a failed deletion. */
  async remove(runtime: PlacedCluster, live: KubeObject, operation: string): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await requestDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project), live, operation);
  }

  /** Requests Gardener to force the deletion, which may leave cloud resources behind. */
  async force(runtime: PlacedCluster, live: KubeObject): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await forceDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project), live);
  }

  /** Issues a short-lived kubeconfig. Throws while Gardener issues none. */
  issue(
    runtime: PlacedCluster,
    wanted: Pick<ShootAccess, "role" | "expirationSeconds">,
    withinMs: number,
  ): Promise<IssuedKubeconfig> {
    const late = AbortSignal.timeout(withinMs);
    const issue = async (): Promise<IssuedKubeconfig> => {
      const { client, project } = await this.gardenOf(runtime);
      const { namespace = "", name } = refOf(runtime, project);
      const garden = client.with({ signal: late, patienceMs: withinMs });
      return issueKubeconfig(garden, { garden: "", namespace, shoot: name, ...wanted });
    };
    return withDeadline(issue(), late);
  }

  /**
   * Issues a kubeconfig for an administrator; undefined while the cluster is being created or hibernated, or Gardener
   * is unavailable.
   */
  kubeconfig(runtime: PlacedCluster, withinMs: number): Promise<string | undefined> {
    return this.issue(runtime, {}, withinMs).then(
      ({ kubeconfig }) => kubeconfig,
      () => undefined,
    );
  }
}

/** The part of {@link Shoots} that operations on clusters need. */
export type ShootsAtWork = Pick<Shoots, "of" | "watched" | "retry" | "remove" | "force">;

const namespaceOf = (project: string): string => `garden-${project}`;

/** The Shoot's name: the requested one, else the current one, else the one that it will get. */
function refOf({ id, desiredConfig, outputs }: PlacedCluster, project: string): Ref {
  const nameIn = (cluster: unknown): unknown => (isObject(cluster) ? cluster["name"] : undefined);
  const { cluster } = isObject(desiredConfig.deployment) ? desiredConfig.deployment : {};
  const named = nameIn(cluster) ?? nameIn(outputs?.["cluster"]);
  return shootRef(namespaceOf(project), typeof named === "string" ? named : shootName(project, id));
}

/** Reading a platform can't be canceled, so callers stop waiting at the deadline. */
function withDeadline<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  });
  return Promise.race([work, over]);
}
