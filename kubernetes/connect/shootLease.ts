/** Access to the cluster of a Gardener Shoot, by the short-lived kubeconfigs that Gardener issues. */

import type { ShootAccess } from "../../foundation/shootAccess";
import { isNotFound } from "../client/apiError";
import type { Client } from "../client/client";
import { textAt } from "../objects/objects";
import { readKubeconfig, type Access } from "../access/kubeconfig";
import type { Lease } from "../access/lease";

const LIFETIME_S = 3600;
/** Fraction of its lifetime for which a kubeconfig is used. Operations take time, and clocks differ. */
const USABLE_PART = 0.8;

export interface IssuedKubeconfig {
  /** Kubeconfig (YAML text); a secret. */
  readonly kubeconfig: string;
  /** Expiry, in milliseconds since 1970. */
  readonly expires: number;
}

/** Requests a kubeconfig. `garden` is a client of Gardener's own API server. */
export async function issueKubeconfig(garden: Client, access: ShootAccess): Promise<IssuedKubeconfig> {
  const { namespace, shoot: name, role = "admin", expirationSeconds = LIFETIME_S } = access;
  const ref = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace, name };
  const issued = await garden.issue(ref, `${role}kubeconfig`, {
    apiVersion: "authentication.gardener.cloud/v1alpha1",
    kind: role === "admin" ? "AdminKubeconfigRequest" : "ViewerKubeconfigRequest",
    spec: { expirationSeconds },
  });
  const kubeconfig = Buffer.from(textAt(issued, "status", "kubeconfig") ?? "", "base64").toString("utf8");
  const expires = Date.parse(textAt(issued, "status", "expirationTimestamp") ?? "");
  if (kubeconfig === "" || Number.isNaN(expires)) {
    throw new Error(
      `Gardener answered the request for a kubeconfig of Shoot ${namespace}/${name} without status.kubeconfig or status.expirationTimestamp`,
    );
  }
  return { kubeconfig, expires };
}

/** Shared by all requests of this process until most of its lifetime has passed. */
export class ShootLease implements Lease {
  #known: { readonly access: Access; readonly until: number } | undefined;
  #asking: Promise<Access> | undefined;

  constructor(
    private readonly garden: Client,
    private readonly shoot: ShootAccess,
    private readonly now: () => number = Date.now,
  ) {}

  get name(): string {
    return `the cluster of Shoot ${this.shoot.namespace}/${this.shoot.shoot}`;
  }

  access(): Promise<Access> {
    if (this.#known && this.now() < this.#known.until) return Promise.resolve(this.#known.access);
    // Requests that start together share one kubeconfig.
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  refused(): void {
    this.#known = undefined;
  }

  async #ask(): Promise<Access> {
    const began = this.now();
    const { kubeconfig, expires } = await issueKubeconfig(this.garden, this.shoot).catch((cause: unknown) => {
      // A 404 from Gardener must not look like a missing object in the Shoot's cluster.
      if (isNotFound(cause)) throw new Error(`${this.name} can't be reached: ${(cause as Error).message}`, { cause });
      throw cause;
    });
    const access = readKubeconfig(kubeconfig);
    this.#known = { access, until: began + USABLE_PART * (expires - began) };
    return access;
  }
}
