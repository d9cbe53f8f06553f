/** Parameters of admission policies: who applies such a policy must be allowed to read them, and to change them is to change it. */

import { UnknownKindError } from "../../kubernetes/client/discovery";
import type { Client } from "../../kubernetes/client/client";
import { isForbidden } from "../../kubernetes/client/apiError";
import { at, groupOf, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { selects } from "../../kubernetes/objects/selector";
import { kindsIn, type PlacedObject } from "./place";
import { unique, type ResourceRight, type Right } from "./rbac/rules";
import { isObject } from "../../foundation/json/isObject";

const isPolicy = ({ group, object }: PlacedObject): boolean =>
  group === "admissionregistration.k8s.io" && object.kind.endsWith("AdmissionPolicy");
const isPolicyBinding = ({ group, object }: PlacedObject): boolean =>
  group === "admissionregistration.k8s.io" && object.kind.endsWith("AdmissionPolicyBinding");

type Resource = Pick<ResourceRight, "group" | "resource">;

/**
 * For a policy, all objects of its paramKind; for a binding, those of its paramRef. `reader` reads the policies of
 * bindings.
 */
export async function paramRights(reader: Client, objects: readonly PlacedObject[]): Promise<Right[]> {
  const own = objects.filter(isPolicy);
  const rights = [...own, ...objects.filter(isPolicyBinding)].map(async (placed): Promise<Right[]> => {
    const { object } = placed;
    if (isPolicy(placed)) {
      const resource = await paramResource(reader, object, objects);
      return resource ? [{ verb: "get", ...resource }] : [];
    }
    const ref = at(object, "spec", "paramRef");
    if (!isObject(ref)) return [];
    const [name, namespace] = [textAt(ref, "name"), textAt(ref, "namespace")];
    const policy = await policyOf(reader, object, own);
    const resource = (policy && (await paramResource(reader, policy, objects))) ?? { group: "*", resource: "*" };
    const place = { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
    return [{ verb: name === undefined ? "list" : "get", ...resource, ...place }];
  });
  return unique((await Promise.all(rights)).flat());
}

/** Returns the resource of a policy's parameters; for an unknown kind, any resource of its group. */
async function paramResource(
  { discovery }: Client,
  policy: KubeObject,
  objects: readonly PlacedObject[],
): Promise<Resource | undefined> {
  const [apiVersion, kind] = ["apiVersion", "kind"].map((key) => textAt(policy, "spec", "paramKind", key));
  if (apiVersion === undefined || kind === undefined) return undefined;
  const group = groupOf(apiVersion);
  try {
    return { group, resource: (await discovery.resource(apiVersion, kind)).plural };
  } catch (error) {
    if (!(error instanceof UnknownKindError)) throw error;
    const included = kindsIn(objects.map(({ object }) => object)).get(`${apiVersion}/${kind}`);
    return { group, resource: included?.plural ?? "*" };
  }
}

/** Undefined if it is neither among the objects nor readable. */
async function policyOf(
  reader: Client,
  binding: KubeObject,
  own: readonly PlacedObject[],
): Promise<KubeObject | undefined> {
  const name = textAt(binding, "spec", "policyName") ?? "";
  const kind = binding.kind.replace(/Binding$/, "");
  const included = own.find(({ object }) => object.kind === kind && object.metadata.name === name);
  if (included) return included.object;
  try {
    return await reader.get({ apiVersion: binding.apiVersion, kind, name });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/**
 * Whether an object is named by a binding among the objects. A binding whose policy is not among them may mean an object of
 * any kind.
 */
export function parametersIn(
  objects: readonly KubeObject[],
  namespaceOf: (object: KubeObject) => string | undefined,
): (object: KubeObject) => boolean {
  const kinds = new Map(
    objects
      .filter(({ kind }) => kind.endsWith("AdmissionPolicy"))
      .map((policy) => [policy.metadata.name, at(policy, "spec", "paramKind")]),
  );
  const refs = objects
    .filter(({ kind }) => kind.endsWith("AdmissionPolicyBinding"))
    .flatMap((binding) => {
      const ref = at(binding, "spec", "paramRef");
      return isObject(ref) ? [{ ref, of: kinds.get(textAt(binding, "spec", "policyName") ?? "") }] : [];
    });
  return (object) =>
    refs.some(({ ref, of }) => {
      const [name, namespace] = [textAt(ref, "name"), textAt(ref, "namespace")];
      const isOfKind = !isObject(of) || (of["apiVersion"] === object.apiVersion && of["kind"] === object.kind);
      const isNamed =
        name === undefined ? selects(ref["selector"], object.metadata.labels ?? {}) : name === object.metadata.name;
      return isOfKind && isNamed && (namespace === undefined || namespace === namespaceOf(object));
    });
}
