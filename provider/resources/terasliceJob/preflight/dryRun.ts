/** What the API server says to the objects that a master will make, before there is a job to make them of. */

import { ApiError } from "../../../../kubernetes/client/apiError";
import { describe } from "../../../../kubernetes/client/objects";
import type { KubeObject } from "../../../../kubernetes/client/objects";
import type { Site } from "../site";
import type { Findings } from "./faults";

/** Tries all of them; nothing is kept. */
export async function dryRunObjects(site: Site, objects: readonly KubeObject[]): Promise<Findings> {
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
        // A master does not ask for strictness: then what is unknown is skipped, which is hardly what was meant.
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

/** Of who asks, and not of what is requested: a quota or a policy also answers 403. */
const isLackOfRights = ({ code, message }: ApiError): boolean =>
  code === 403 && / cannot create resource /.test(message);
