import type { Context } from "../../context";
import { requestId, type Approval, type Instance } from "../../../bundles/approvals/approval";
import type { Asks } from "../../../bundles/permissions/asks";
import { asksIn } from "../../../bundles/permissions/around";
import type { BundleObject } from "../../../bundles/format/format";
import type { Client } from "../../../kubernetes/client/client";
import { refOf } from "../../../kubernetes/objects/objects";
import type { DecideOptions, SourceOptions } from "../options";
import { Failure } from "../../../foundation/errors";
import { open } from "./open";
import { leavingOf, openRequests } from "../cluster/releases";
import { placed } from "../cluster/rights";

/** Content to decide about. */
export interface Subject {
  readonly digest: string;
  readonly asks: Asks;
  /** The request, if the sources were not read. */
  readonly request?: Approval;
  /** The content of the sources, if they were read. */
  readonly objects?: readonly BundleObject[];
}

type SubjectOptions = Pick<DecideOptions, keyof SourceOptions | "digest" | "request">;

/** Returns the content of the sources; without sources, the open request. */
export async function subjectOf(
  context: Context,
  client: Client,
  bundle: Instance,
  history: readonly Approval[],
  words: readonly string[],
  options: SubjectOptions,
): Promise<Subject> {
  const { digest, file } = options;
  if (words.length > 0 || file !== undefined) {
    const opened = await open(context, words, options, { ...bundle, client });
    const { approval } = opened;
    if (digest !== undefined && approval !== digest) {
      const what = approval === opened.bundle.digest ? "the content" : "the content with these values";
      throw new Failure(`${what} has the digest ${approval}; expected ${digest}`);
    }
    const places = await placed(client, opened.objects, bundle.namespace);
    if (places.unknown.length > 0)
      throw new Failure(["it has kinds that are not known:", ...places.unknown].join("\n  - "));
    const inCluster = places.placed.filter(({ namespace }) => namespace === undefined).map(({ object }) => object);
    const objects = opened.objects.map(({ object }) => object);
    const refs = places.placed.map(({ object, namespace }) => ({ ...refOf(object), namespace }));
    const { leaving } = await leavingOf(client, bundle, refs);
    const asked = await asksIn(client, objects, bundle.namespace, inCluster, leaving);
    return { digest: approval, asks: asked, objects: opened.objects };
  }
  const request = requestIn(history, bundle, options);
  return { digest: request.digest, asks: request.asks, request };
}

/**
 * Returns the only open request that the options allow, so that nothing is approved that was not shown. A digest also
 * selects content with a decision, to change that decision.
 */
function requestIn(history: readonly Approval[], bundle: Instance, { digest, request }: SubjectOptions): Approval {
  const open = openRequests(history).filter(
    (one) => (digest === undefined || one.digest === digest) && (request === undefined || requestId(one) === request),
  );
  const decided = digest === undefined ? undefined : history.findLast((one) => one.digest === digest);
  const [found = decided, ...others] = open;
  const title = `bundle ${bundle.namespace}/${bundle.name}`;
  if (found === undefined) {
    const what = digest === undefined ? "nothing" : `nothing with the digest ${digest}`;
    throw new Failure(
      request === undefined
        ? `${what} was requested for ${title}; name its source: a folder, an archive, a URL, or --file`
        : `no request ${request} is open for ${title}: it was decided, or what it asks for has changed. See stackyard bundle show ${bundle.name}`,
    );
  }
  if (others.length > 0) {
    const lines = open.map((one) => `  --request ${requestId(one)} (${one.digest}, by ${one.by})`);
    throw new Failure([`${title} has ${open.length} open requests; name the one that you read:`, ...lines].join("\n"));
  }
  return found;
}
