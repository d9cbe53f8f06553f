import { plainMessage } from "../../engine/pulumi/diagnostics";
import type { Diagnostic } from "../../engine/pulumi/events";
import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { previewing, TAKES_OVER } from "../../foundation/pulumi/adoption";
import { bytes } from "../../foundation/text/numbers";
import { capacityOf, claimsOf, isClaim, isStatefulSet, requestedBytes } from "../../kubernetes/claims/claims";
import { forAll } from "../../kubernetes/client/pool";
import { refOf, describe, identity, type KubeObject } from "../../kubernetes/objects/objects";
import { markedFor } from "../../kubernetes/remove/marked";
import { extentFrom } from "../../provider/resources/bundleRelease/applySet";
import { membersIn } from "../../provider/resources/bundleRelease/live/live";
import type { Context } from "../context";
import { kubectl } from "../bundle/cluster/kubectl";
import { confirm } from "../terminal/ask";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { Failure, UsageError } from "../../foundation/errors";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import type { Client } from "../../kubernetes/client/client";
import { isLabel } from "../../kubernetes/objects/names";
import { detailsOn, RECORD_LABEL, recordOn } from "../../kubernetes/owners/annotations";
import { isOfSameStack, ownerText } from "../../kubernetes/owners/judge";
import { offerTo } from "../../kubernetes/owners/record";
import { offerOwner, recordRef, type Held } from "../../kubernetes/owners/store";

// What a platform stack would change in a thing that it takes over, by a preview that needs no permission of its owner.

/** `known`: false if the stack does not have the thing, or its preview failed before it was compared. */
interface Changes {
  readonly known: boolean;
  /** The provider's messages about the thing. */
  readonly lines: readonly string[];
}

async function changesBy(stack: string, places: readonly string[], workspace: Workspace): Promise<Changes> {
  const args = ["preview", "--json", "--stack", stack];
  const { stdout, stderr } = await new PulumiProcess(args, workspace, { env: previewing(places) }).finished;
  return changesIn(diagnosticsIn(stdout), stderr);
}

/** Pure. `stderr`: shown if the thing was not compared. */
function changesIn(diagnostics: readonly Diagnostic[], stderr: string): Changes {
  const taken = new Set(diagnostics.filter(({ message }) => message.startsWith(TAKES_OVER)).map(({ urn }) => urn));
  const failed = diagnostics.filter(({ severity }) => severity === "error");
  if (taken.size === 0) {
    const why = failed.length > 0 ? failed.map(({ message }) => message) : [stderr];
    return { known: false, lines: why.map(plainMessage).filter((line) => line !== "") };
  }
  const own = diagnostics.filter(({ urn, ephemeral }) => taken.has(urn) && ephemeral !== true);
  return { known: true, lines: own.map(({ message }) => plainMessage(message)) };
}

function diagnosticsIn(stdout: string): readonly Diagnostic[] {
  const start = stdout.indexOf("{");
  if (start < 0) return [];
  return (JSON.parse(stdout.slice(start)) as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? [];
}

/** What a set or an instance of a bundle consists of in its cluster. */
interface Contents {
  /** `Deployment shop/web`. */
  readonly objects: readonly string[];
  readonly claims: readonly { readonly claim: string; readonly bytes: number | undefined; readonly uid?: string }[];
}

/** Reads the objects of a set or instance, by its record, and the claims of its StatefulSets. */
async function contentsOf(client: Client, held: Held): Promise<Contents> {
  const owner = placeOf(held);
  const { name, namespace } = owner;
  const isBundle = held.object.metadata.name === `bundle-${name}`;
  const all = isBundle
    ? await membersIn(client, owner, extentFrom(held.object, owner), [])
    : await markedFor(client, { set: name, namespace });
  const whole = (object: KubeObject): Promise<KubeObject | undefined> => client.get(refOf(object));
  const sets = await forAll(all.filter(isStatefulSet), whole);
  const own = await forAll(all.filter(isClaim), whole);
  const templated = await forAll(sets, (set) => (set ? claimsOf(client, [set]) : Promise.resolve([])));
  const claims = [...own, ...templated.flat()].filter((claim) => claim !== undefined);
  const distinct = new Map(claims.map((claim) => [identity(refOf(claim)), claim]));
  return {
    objects: all.filter((object) => !isClaim(object)).map((object) => describe(refOf(object))),
    claims: [...distinct.values()].map((claim) => ({
      claim: `${claim.metadata.namespace}/${claim.metadata.name}`,
      bytes: capacityOf(claim) ?? requestedBytes(claim),
      uid: claim.metadata.uid,
    })),
  };
}

const contentLines = ({ objects, claims }: Contents): string[] => [
  ...objects,
  ...claims.map(
    ({ claim, bytes: size, uid }) =>
      `PersistentVolumeClaim ${claim} (${size === undefined ? "" : `${bytes(size)}, `}UID ${uid})`,
  ),
];

export interface AdoptHelmOptions {
  readonly stack: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly feature?: boolean;
}

/** A release has an owner without objects of its own. */
const ONLY_RECORD = "It has no objects of its own, as the record of a Helm release.";

/**
 * Shows the owner of a thing, what belongs to it, and what the stack would change; asks, and permits the stack to take it
 * over with its next update.
 */
export async function adopt(context: Context, place: string, options: AdoptHelmOptions): Promise<void> {
  const [namespace = "", name = "", ...more] = place.split("/");
  if (!isLabel(namespace) || !isLabel(name) || more.length > 0) {
    throw new UsageError(`found ${JSON.stringify(place)}; expected <namespace>/<name>, such as ray/analytics`);
  }
  const stack = options.stack.split("/").at(-1) ?? "";
  const { kubeconfig, context: of } = options;
  const { client } = await kubectl(context.platforms, { kubeconfig, context: of });
  const found = await withParts(client, await recordsOf(client, namespace, name), options.feature === true);
  const places = [...new Set(found.map(placeOf).map((one) => `${one.namespace}/${one.name}`))];
  const title = places.join(", ");
  const to = { stack: `${PLATFORM_PROJECT}/${stack}`, backend: backendName(context.platforms) };
  const owners = [...new Set(found.map(({ record }) => ownerText(record)))];
  const contents = await Promise.all(found.map((held) => contentsOf(client, held)));
  context.live.status("  comparing it with what the stack would apply");
  const known = contents.flatMap(contentLines);
  const changes = await changesBy(stack, places, context.platforms);
  context.live.end();
  if (options.dryRun === true && options.json === true) {
    return context.print(JSON.stringify({ place, places, dryRun: true, owners, to, contents, changes }, null, 2));
  }
  context.live.line(
    [
      `${title} belongs to ${owners.join("; and to ")}.`,
      `After the next update of ${offerTo(to)} that stack can't change or delete it. ${known.length > 0 ? "It consists of:" : ONLY_RECORD}`,
      ...known.map((line) => `  - ${line}`),
      changes.known
        ? "The next update:"
        : `What the next update would change is not known, see pulumi preview --stack ${stack}:`,
      ...changes.lines.map((line) => `  ${line}`),
    ].join("\n"),
  );
  if (options.dryRun === true) return context.live.line("nothing was changed (--dry-run)");
  if (options.yes !== true && !(await confirm(`Let ${offerTo(to)} take ${title} over?`))) {
    throw new Failure(`${title} was left as it is`);
  }
  for (const held of found) await offerOwner(client, held, offerTo(to));
  context.live.line(`${title} may be taken over. Take it over: pulumi up --stack ${stack}`);
}

/** The record of a set, or of an instance of a bundle. */
async function recordsOf(client: Client, namespace: string, name: string): Promise<[Held, ...Held[]]> {
  const records = await client.list({ apiVersion: "v1", kind: "ConfigMap", namespace }, { label: RECORD_LABEL });
  const names = [recordRef({ namespace, name }).name, `bundle-${name}`];
  const [first, ...others] = records
    .filter(({ metadata }) => names.includes(metadata.name))
    .flatMap((object) => {
      const record = recordOn(object);
      return record ? [{ record, object }] : [];
    });
  if (first) return [first, ...others];
  throw new Failure(
    `${namespace}/${name} has no record of an owner in this cluster (ConfigMap ${names.join(" or ")}). The records there ` +
      `are: kubectl get configmaps -A -l ${RECORD_LABEL}. What an earlier version created gets one with the next ` +
      "change by its stack",
  );
}

/** Namespace and name of the set or instance that a record is of. */
function placeOf({ object: { metadata } }: Held): { readonly namespace: string; readonly name: string } {
  const { namespace = "", name } = metadata;
  return { namespace, name: name.replace(/^bundle-|\.owner$/, "") };
}

/**
 * With the records of the same owner without which it can't move: the CustomResourceDefinitions of a release's chart; or, with
 * `wholeFeature`, of everything in the component of the platform that it is in.
 */
async function withParts(client: Client, found: readonly Held[], wholeFeature: boolean): Promise<Held[]> {
  const all = await client.list({ apiVersion: "v1", kind: "ConfigMap" }, { label: RECORD_LABEL });
  const kin = found.flatMap(({ object }) => kinOf(detailsOn(object).urn, wholeFeature));
  const uids = found.map(({ object }) => object.metadata.uid);
  const parts = all.flatMap((object) => {
    const [record, { urn }] = [recordOn(object), detailsOn(object)];
    const isKin = record && !uids.includes(object.metadata.uid) && kin.some((isIt) => isIt(urn));
    return isKin && found.some((held) => isOfSameStack(record, held.record)) ? [{ record, object }] : [];
  });
  return [...found, ...parts];
}

/** URNs of what moves with a resource. */
function kinOf(urn: string, wholeFeature: boolean): ((other: string) => boolean)[] {
  const [stack = "", project = "", types = "", name = ""] = urn.split("::");
  const parents = types.split("$").slice(0, -1);
  const [feature] = parents;
  if (feature === undefined) return [];
  if (wholeFeature) return [(other) => other.startsWith(`${stack}::${project}::${feature}$`)];
  const [, base] = /^(.+?)(?:-release)?-owner$/.exec(name) ?? [];
  const crds = [...parents, "stackyard:index:BundleRelease"].join("$");
  return [(other) => other === `${stack}::${project}::${crds}::${base}-crds`];
}
