/** Checks whether a job can run in its cluster before it is registered. */

import { loadAll } from "js-yaml";
import { isForbidden, isMissingNamespace, lacksRight, ApiError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { type KubeObject, describe } from "../../../../kubernetes/objects/objects";
import type { JobInputs } from "../inputs";
import type { JobSite } from "../site";
import { findings, type World, type Findings } from "./faults";
import { needs, podKinds } from "./pods";

// Dry run of the objects that a master would create, before the job is registered.

/** Sends all objects as a dry run; nothing is stored. */
async function dryRunObjects(site: JobSite, objects: readonly KubeObject[]): Promise<Findings> {
  const faults: string[] = [];
  const warnings: string[] = [];
  await Promise.all(
    objects.map(async (object) => {
      try {
        await site.client.tryCreate(object);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code >= 500) throw error;
        const { apiVersion, kind, metadata } = object;
        const text = `Kubernetes refuses ${describe({ apiVersion, kind, name: metadata.name })}: ${error.message}`;
        // Masters don't use strict validation, so unknown fields are ignored, which is hardly intended.
        if (/strict decoding error/.test(error.message)) warnings.push(text);
        else if (lacksRight(error))
          site.log(
            "info",
            `job ${site.name}: ${kind} objects could not be checked: the user may not create them, even as a dry run`,
          );
        else faults.push(text);
      }
    }),
  );
  return { faults: faults.sort(), warnings: warnings.sort() };
}

/** The status report of the cluster-autoscaler; other autoscalers are not detected. */
const AUTOSCALER = { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name: "cluster-autoscaler-status" };

/** Throws all reasons why the job can't run. With `gently` these are warnings; doubts always are. */
export async function preflight(site: JobSite, inputs: JobInputs, gently: boolean): Promise<void> {
  if (inputs.state !== "running" || inputs.footprint === "") return;
  const objects = loadAll(inputs.footprint) as KubeObject[];
  const world = await worldOf(site, inputs.namespace, objects);
  if (world === undefined) return;
  const found = [findings(objects, world), await dryRunObjects(site, objects)];
  const [faults, warnings] = [found.flatMap((one) => one.faults), found.flatMap((one) => one.warnings)];
  for (const warning of warnings) site.log("warning", `job ${site.name}: ${warning}`);
  if (faults.length === 0) return;
  const text = `job ${site.name} can't run: ${faults.join("; ")}`;
  if (!gently) throw new Error(`${text}. Nothing was registered`);
  site.log("warning", text);
}

/** Undefined if the namespace does not exist yet, and so nothing in it does. */
async function worldOf(site: JobSite, namespace: string, footprint: readonly KubeObject[]): Promise<World | undefined> {
  const { client } = site;
  try {
    if (!(await client.get({ apiVersion: "v1", kind: "Namespace", name: namespace }))) return undefined;
    const wanted = podKinds(footprint).map(needs);
    const [claims, secrets, priorityClasses, nodes, quotas, report] = await Promise.all([
      seen(site, { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace }),
      wanted.some(({ secrets }) => secrets.length > 0)
        ? seen(site, { apiVersion: "v1", kind: "Secret", namespace })
        : [],
      seen(site, { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" }),
      seen(site, { apiVersion: "v1", kind: "Node" }),
      seen(site, { apiVersion: "v1", kind: "ResourceQuota", namespace }),
      client.get(AUTOSCALER).catch(refused),
    ]);
    return {
      namespace,
      claims,
      secrets: secrets?.map(({ metadata }) => metadata.name),
      priorityClasses: priorityClasses?.map(({ metadata }) => metadata.name),
      nodes,
      quotas,
      growing: report !== undefined,
    };
  } catch (error) {
    if (isMissingNamespace(error)) return undefined;
    throw error;
  }
}

type Kind = Parameters<Client["list"]>[0];

/** Lists the objects of a kind; undefined, with a log line, if the user may not list them. */
async function seen(site: JobSite, kind: Kind): Promise<KubeObject[] | undefined> {
  try {
    return await site.client.list(kind);
  } catch (error) {
    const nothing = refused(error);
    site.log("info", `job ${site.name}: ${kind.kind} objects may not be listed, so they were not checked`);
    return nothing;
  }
}

/** A missing permission is no fault of the job. */
function refused(error: unknown): undefined {
  if (isForbidden(error)) return undefined;
  throw error;
}
