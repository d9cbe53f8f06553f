import { mismatch, type Fault } from "../../foundation/schema/faults";
import { didYouMean } from "../../foundation/text/nearest";
import type { Request } from "../../engine/runtime/request/request";
import type { Platforms } from "./platforms";

/** What is known about the runtime of a request before it starts. */
export interface KnownRuntime {
  /** Whether it is in the state, or has a stack file with a version. */
  readonly exists: boolean;
  /** Its current platform and provisioner. */
  readonly platform?: string;
  readonly provisioner?: string;
}

export interface RequestContext {
  readonly runtimes: ReadonlyMap<string, KnownRuntime>;
  readonly platforms: Platforms;
  readonly defaultPlatform: string;
}

/** Returns the current or future platform of a request's runtime. */
export function platformOf(
  { id, change }: Request,
  { runtimes, defaultPlatform }: Omit<RequestContext, "platforms">,
): string {
  return change.platform ?? runtimes.get(id)?.platform ?? defaultPlatform;
}

/** Returns faults that only the state shows: an unknown platform or provisioner, or a new runtime without a version. */
export function checkRequests(requests: readonly Request[], context: RequestContext): Fault[] {
  return requests.flatMap((request) => [...versionFaults(request, context), ...placeFaults(request, context)]);
}

function versionFaults({ id, change }: Request, { runtimes }: RequestContext): Fault[] {
  const { version, cluster } = change.deployment;
  if (runtimes.get(id)?.exists === true || version !== undefined || cluster !== undefined) return [];
  return [mismatch([id, "version"], "nothing", 'an image tag in quotes, such as "0.50.2", because the runtime is new')];
}

function placeFaults(request: Request, context: RequestContext): Fault[] {
  const { id, change } = request;
  const platform = platformOf(request, context);
  const facts = context.platforms.get(platform);
  if (facts === undefined) {
    const known = [...context.platforms].flatMap(([name, there]) => (there ? [name] : []));
    const whose = context.runtimes.get(id)?.platform === undefined ? "the default one" : "the one that it is on";
    const expected = `a platform stack that is up${change.platform === undefined ? ` (this is ${whose})` : ""}`;
    return [mismatch([id, "platform"], JSON.stringify(platform), expected, didYouMean(platform, known))];
  }
  const { provisioner } = change.deployment;
  if (provisioner === undefined) return [];
  const names = facts.provisionerRevisions && Object.keys(facts.provisionerRevisions);
  const path = [id, "provisioner"];
  const found = JSON.stringify(provisioner);
  if (names && !names.includes(provisioner)) {
    return [
      mismatch(path, found, `one of the set of ${platform}: ${names.join(", ")}`, didYouMean(provisioner, names)),
    ];
  }
  const present = context.runtimes.get(id)?.provisioner;
  if (present === undefined || present === provisioner) return [];
  const command = `stackyard runtime up ${id} --provisioner ${provisioner} --move`;
  return [
    mismatch(path, found, `"${present}", where the runtime is, because a file moves none`, `move it with: ${command}`),
  ];
}
