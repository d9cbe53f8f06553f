import { readFileSync, statSync } from "node:fs";
import { wantedProvisioner } from "../../components/runtime/choice";
import type { Platform } from "../../components/runtime/platform/platform";
import type { Deployment } from "../../components/runtime/request/deployment";
import { isObject } from "../../foundation/json/isObject";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import type { DeploymentRow } from "../database/tables";
import type { Values } from "../environment";

type Settings = Pick<Values, "APP_GARDENER_PROJECT" | "APP_GARDENER_KUBECONFIG_PATH">;

/** A Gardener project with its credentials. */
export interface Garden {
  readonly client: Client;
  readonly project: string;
}

/** The fields of a deployment that determine where its cluster is. */
export type PlacedCluster = Pick<DeploymentRow, "id" | "desiredConfig"> &
  Partial<Pick<DeploymentRow, "provisioner" | "outputs">>;

/** Finds the Gardener project of a deployment's cluster. */
export type GardenOf = (runtime: PlacedCluster) => Promise<Garden>;

/**
 * Uses the project of the deployment's provisioner, as the platform exports it. The environment's kubeconfig overrides
 * the provisioner's for the project that the environment names, and serves deployments with an unknown provisioner.
 */
export function gardensOf(values: Settings, platformOf: (name: string) => Promise<Platform>): GardenOf {
  const ownGarden = mountedGarden(values);
  const clients = new Map<string, Client>();
  const clientOf = (kubeconfig: string | undefined, context: string | undefined): Client => {
    const key = JSON.stringify([kubeconfig, context]);
    const client = clients.get(key) ?? connect(kubeconfig, context, {});
    clients.set(key, client);
    return client;
  };
  return async (runtime) => {
    const own = ownGarden();
    const name = typeof runtime.desiredConfig.platform === "string" ? runtime.desiredConfig.platform : "";
    const spec = await platformOf(name).then(
      (platform) => provisionerOf(runtime, platform),
      (error: unknown) => {
        if (own === undefined) throw error;
        return undefined;
      },
    );
    if (own !== undefined && (spec === undefined || spec.project === own.project)) return own;
    if (spec !== undefined) return { client: clientOf(spec.kubeconfig, spec.context), project: spec.project };
    throw new Error(`deployment ${runtime.id} has no provisioner of type gardener on platform ${name}`);
  };
}

function provisionerOf({ desiredConfig, provisioner }: PlacedCluster, platform: Platform) {
  const asked = { environment: "prod", ...(isObject(desiredConfig.deployment) ? desiredConfig.deployment : {}) };
  const named = provisioner ?? wantedProvisioner(platform, asked as unknown as Deployment).provisioner;
  const spec = Object.hasOwn(platform.provisioners, named) ? platform.provisioners[named] : undefined;
  return spec?.type === "gardener" ? spec : undefined;
}

/**
 * Returns the garden of the environment's kubeconfig; undefined if there is no such file. The file is read again when it
 * changes, because Kubernetes renews mounted Secrets while the service runs.
 */
function mountedGarden({ APP_GARDENER_PROJECT: project, APP_GARDENER_KUBECONFIG_PATH: path }: Settings) {
  let known: { readonly stamp: string; readonly garden: Garden } | undefined;
  return (): Garden | undefined => {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined) return undefined;
    const stamp = `${file.ino}/${file.size}/${file.mtimeMs}`;
    if (known?.stamp !== stamp)
      known = { stamp, garden: { client: connect(readFileSync(path, "utf8"), undefined, {}), project } };
    return known.garden;
  };
}
