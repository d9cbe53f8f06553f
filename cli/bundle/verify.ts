import { CHECKS, isCheck } from "../../bundles/crdSafety/checks";
import { asYaml, rolesFor } from "../../bundles/permissions/rbac/role";
import { INVALID_OBJECTS, canBeAllowed, isAllowance, isInvalidObjects } from "../../bundles/crdSafety/allowance";
import { crdProblems } from "../../bundles/crdSafety/inCluster";
import type { Client } from "../../kubernetes/client/client";
import type { VerifyOptions } from "./options";
import type { Context } from "../context";
import { Failure, UsageError } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { selectedCluster } from "./cluster/cluster";
import { open, targetOf, sourcesTitle, type Opened } from "./source/open";
import { lackingRights, placed } from "./cluster/rights";

/** Checks the names in `--allow` and returns them unchanged. Throws for names that don't exist or can't be allowed. */
function checksOf(names: readonly string[] = []): readonly string[] {
  for (const text of names) {
    const name = text.slice(text.indexOf("/") + 1);
    if (isAllowance(text) && !isInvalidObjects(name) && (!isCheck(name) || canBeAllowed(name))) continue;
    const known = Object.keys(CHECKS).filter((one) => isCheck(one) && canBeAllowed(one));
    throw new UsageError(
      `--allow: found ${JSON.stringify(text)}; expected one of ${known.join(", ")}, with <CRD>/ before it for one CustomResourceDefinition only`,
    );
  }
  return names;
}

/** Succeeds if a bundle is valid and the expected one, and if the cluster would accept it. */
export async function verify(context: Context, words: readonly string[], options: VerifyOptions): Promise<void> {
  const { digest } = options;
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new UsageError(`--digest: found ${JSON.stringify(digest)}; expected sha256: and 64 of 0-9 and a-f`);
  }
  const allowed = checksOf(options.allow);
  const client = await selectedCluster(context.platforms, options);
  if (!client && options.as !== undefined) throw new UsageError("found --as without a cluster; expected --kubeconfig");
  const opened = await open(context, words, options, { ...targetOf(options), client });
  const { bundle, objects } = opened;
  const title = sourcesTitle(bundle.sources.map(({ source }) => source));
  if (digest !== undefined && bundle.digest !== digest) {
    throw new Failure(`${title}: the content has the digest ${bundle.digest}; expected ${digest}`);
  }
  if (client) {
    const crds = objects.map(({ object }) => object);
    const broken = await crdProblems(client, crds, allowed, allowText);
    for (const note of broken.notes) context.print(note);
    const troubles = [
      section("its CRDs would break what is in the cluster:", broken.problems),
      ...(await rightsTroubles(context, client, opened, options)),
    ].flat();
    if (troubles.length > 0) throw new Failure([`${title}:`, ...troubles].join("\n"));
  }
  context.print(`${bundle.digest} is a ${bundle.format.name} bundle with ${count(objects.length, "object")}`);
}

/** Existing objects that would become invalid can't be allowed here. */
function allowText(names: readonly string[]): string | undefined {
  const checks = names.filter((name) => !name.endsWith(`/${INVALID_OBJECTS}`));
  return checks.length === 0 ? undefined : `--allow ${checks.join(" ")}`;
}

/** Prints the missing permissions as a file for an administrator. */
async function rightsTroubles(
  context: Context,
  client: Client,
  { objects }: Opened,
  { as, namespace = "default" }: VerifyOptions,
): Promise<string[]> {
  const places = await placed(client, objects, namespace);
  if (places.unknown.length > 0) return section("it has kinds that are not known:", places.unknown);
  const { user, rights } = await lackingRights(client, places.placed, as);
  if (rights.length === 0) return [];
  context.print(asYaml(rolesFor(rights, user, "apply-bundle")).trimEnd());
  return [`${user} may not apply it: ${count(rights.length, "right")} missing; the roles above give exactly that`];
}

/** Longer lists don't help. */
const MAX_LISTED = 100;

function section(heading: string, troubles: readonly string[]): string[] {
  if (troubles.length === 0) return [];
  const more = troubles.length > MAX_LISTED ? [`  - and ${troubles.length - MAX_LISTED} more`] : [];
  return [heading, ...troubles.slice(0, MAX_LISTED).map((trouble) => `  - ${trouble}`), ...more];
}
