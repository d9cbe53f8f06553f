/** Decides which foreign objects a release may take over: by key, by pattern, or by manager. Pure. */

import { inventoryKey, listAt, textAt, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { fitsStars } from "../../../../bundles/stars";

const MAKERS = ["helm", "kubectl", "argo"] as const;
type Maker = (typeof MAKERS)[number];

const isMaker = (text: string | undefined): text is Maker => MAKERS.some((maker) => maker === text);

/** `apps/v1/Deployment/shop/web`, with `*` for any part, `… from helm`, or `from helm` for all of its objects. */
interface Adoption {
  /** Undefined: any object. */
  readonly key?: string;
  readonly maker?: Maker;
  /** `<namespace>/<name>` of another release that owns it. */
  readonly bundle?: string;
}

const KEY = /^(v1|[a-z0-9.*-]+\/[a-z0-9*]+)\/[A-Za-z0-9*]+(\/[^/\s]+){1,2}$/;

const BUNDLE = /^bundle ([a-z0-9-]+\/[a-z0-9-]+)$/;

function parse(text: string): Adoption | undefined {
  const [, key, , from] = /^(?:(\S+?)( |$))?(?:from (\S+(?: \S+)?))?$/.exec(text) ?? [];
  const [, bundle] = BUNDLE.exec(from ?? "") ?? [];
  if (key !== undefined && !KEY.test(key)) return undefined;
  if (key === undefined && from === undefined) return undefined;
  if (bundle !== undefined) return { ...(key !== undefined && { key }), bundle };
  if (from !== undefined && !isMaker(from)) return undefined;
  return { ...(key !== undefined && { key }), ...(from !== undefined && { maker: from }) };
}

export const isAdoption = (text: string): boolean => parse(text) !== undefined;

export const ADOPTIONS =
  "apiVersion/Kind/namespace/name, or without a namespace for what lives in none, with * for any part of these; " +
  `after it, or alone, from ${MAKERS.join(", from ")}, from bundle <namespace>/<name>`;

/** Returns the manager of an object, from its labels and annotations. */
export function makerOf({ metadata }: KubeObject): Maker | undefined {
  const { labels = {}, annotations = {} } = metadata;
  if (annotations["meta.helm.sh/release-name"] !== undefined) return "helm";
  if (annotations["argocd.argoproj.io/tracking-id"] !== undefined) return "argo";
  if (labels["argocd.argoproj.io/instance"] !== undefined) return "argo";
  const managers = listAt(metadata, "managedFields").map((one) => textAt(one, "manager") ?? "");
  if (managers.some((name) => name.startsWith("argocd"))) return "argo";
  const applied = annotations["kubectl.kubernetes.io/last-applied-configuration"] !== undefined;
  return applied || managers.some((name) => name.startsWith("kubectl")) ? "kubectl" : undefined;
}

/** Whether one of the patterns matches an object that no release owns. */
export const mayAdopt = (live: KubeObject, ref: Ref, adopt: readonly string[]): boolean =>
  adopt.some((text) => {
    const adoption = parse(text);
    if (!adoption || adoption.bundle !== undefined) return false;
    return (adoption.maker === undefined || makerOf(live) === adoption.maker) && fits(ref, adoption);
  });

/** Whether one of the patterns matches an object that the release `bundle`, `<namespace>/<name>`, owns. */
export const mayTakeOver = (bundle: string, ref: Ref, adopt: readonly string[]): boolean =>
  adopt.some((text) => {
    const adoption = parse(text);
    return adoption?.bundle === bundle && fits(ref, adoption);
  });

function fits(ref: Ref, { key }: Adoption): boolean {
  const parts = inventoryKey(ref).split("/");
  const patterns = key?.split("/") ?? parts;
  return patterns.length === parts.length && patterns.every((one, index) => fitsStars(one, parts[index] ?? ""));
}

/** Manager of an object for messages, such as `Helm release shop/web`. */
export function makerText(live: KubeObject): string {
  const maker = makerOf(live);
  const { "meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": namespace } =
    live.metadata.annotations ?? {};
  if (maker === "helm") return `Helm release ${namespace ?? ""}/${name ?? ""}`;
  return maker === "argo" ? "Argo CD" : (maker ?? "an unknown tool");
}
