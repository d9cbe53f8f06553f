/** Dry run of the objects that a master would create, before the job is registered. */

import { ApiError } from "../../../../kubernetes/client/apiError";
import { describe } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import type { JobSite } from "../site";
import type { Findings } from "./faults";

/** Sends all objects as a dry run; nothing is stored. */
export async function dryRunObjects(site: JobSite, objects: readonly KubeObject[]): Promise<Findings> {
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
        else if (isLackOfRights(error))
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

/** True if the user lacks a permission. A quota or a policy also responds with 403. */
const isLackOfRights = ({ code, message }: ApiError): boolean =>
  code === 403 && / cannot create resource /.test(message);
