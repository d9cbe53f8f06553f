import type { Context } from "../../context";
import { approvedBefore } from "../../../bundles/approvals/status";
import type { Approval, Instance } from "../../../bundles/approvals/approval";
import { asks, more, NOTHING, type Asks } from "../../../bundles/permissions/asks";
import { waitingBindings } from "../../../bundles/permissions/rbac/bindings";
import type { Client } from "../../../kubernetes/client/client";
import type { SourceOptions } from "../options";
import { Failure } from "../../../foundation/errors";
import { open } from "./open";
import { placed } from "../cluster/rights";

/** Content to decide about. */
export interface Subject {
  readonly digest: string;
  readonly asks: Asks;
  /** The part of `asks` that was not approved before. */
  readonly more: Asks;
  /** The request, if the sources were not read. */
  readonly request?: Approval;
}

type SubjectOptions = SourceOptions & { readonly digest?: string };

/** Returns the content of the sources; without sources, the last open request. */
export async function subjectOf(
  context: Context,
  client: Client,
  bundle: Instance,
  history: readonly Approval[],
  words: readonly string[],
  options: SubjectOptions,
): Promise<Subject> {
  const { digest, file } = options;
  const before = approvedBefore(history)?.asks ?? NOTHING;
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
    const waiting = await waitingBindings(client, objects, bundle.namespace);
    const asked = asks(objects, bundle.namespace, inCluster, waiting);
    return { digest: approval, asks: asked, more: more(before, asked) };
  }
  // A digest also selects a content with a decision, to change that decision.
  const request = history.findLast((one) =>
    digest === undefined ? one.decision === "Requested" : one.digest === digest,
  );
  if (request === undefined) {
    const what = digest === undefined ? "nothing" : `nothing with the digest ${digest}`;
    throw new Failure(
      `${what} was requested for bundle ${bundle.namespace}/${bundle.name}; name its source: a folder, an archive, a URL, or --file`,
    );
  }
  return { digest: request.digest, asks: request.asks, more: more(before, request.asks), request };
}
