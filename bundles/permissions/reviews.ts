/** Queries a cluster for a user's permissions. */

import { randomBytes } from "node:crypto";
import { isForbidden, isNotFound } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { at, objectAt, textAt } from "../../kubernetes/objects/objects";
import { paramRights } from "./params";
import type { PlacedObject } from "./place";
import { planPermissions, rolesToRead, type PermissionPlan } from "./permissionPlan";
import { roleKey, rulesOfRole } from "./rbac/rbac";
import { RBAC } from "../../kubernetes/objects/rbac";
import { isUrlRight, rightKey, rulesIn, type Right, type RbacRule, gives, namespaceOf, unique } from "./rbac/rules";
import { isObject, type Json } from "../../foundation/json/isObject";

// Determines which permissions of a plan a user lacks, from the API server's responses. Pure.

/** Response to a SelfSubjectRulesReview. */
interface RulesAnswer {
  readonly rules: readonly RbacRule[];
  /** Other authorizers, such as a webhook, may grant more than the rules show. */
  readonly incomplete: boolean;
}

export interface Answers {
  /** By namespace; cluster-wide rules under undefined. */
  readonly rules: ReadonlyMap<string | undefined, RulesAnswer>;
  /** Results of SelfSubjectAccessReviews, by {@link rightKey}. */
  readonly access: ReadonlyMap<string, boolean>;
}

/** Namespaces whose rules are needed; undefined means cluster-wide. */
export function scopesOf({ rights, givings }: PermissionPlan): (string | undefined)[] {
  const all = [...rights, ...givings.flatMap(({ instead, rights: given = [] }) => [instead, ...given])];
  return [...new Set(all.map(namespaceOf))];
}

/** Permissions that the rules don't decide, so that each needs an access review. */
export function openRights(plan: PermissionPlan, answers: Answers): Right[] {
  const instead = plan.givings.filter((giving) => !givingIsCovered(giving, answers)).map((giving) => giving.instead);
  return unique([...plan.rights, ...instead]).filter(
    (right) => !byRules(right, answers) && answers.rules.get(namespaceOf(right))?.incomplete !== false,
  );
}

/**
 * Returns the missing permissions. If a user may not grant permissions that they lack, lists these permissions instead
 * of `escalate`, which would allow everything.
 */
export function missing(plan: PermissionPlan, answers: Answers): Right[] {
  const has = (right: Right): boolean => byRules(right, answers) || answers.access.get(rightKey(right)) === true;
  const ofGivings = plan.givings.flatMap(({ instead, rights }): readonly Right[] => {
    if (has(instead)) return [];
    // For escalation, the server only compares rules and asks no other authorizer.
    return rights?.filter((right) => !byRules(right, answers)) ?? [instead];
  });
  return unique([...plan.rights.filter((right) => !has(right)), ...ofGivings]);
}

const givingIsCovered = ({ rights }: PermissionPlan["givings"][number], answers: Answers): boolean =>
  rights?.every((right) => byRules(right, answers)) ?? false;

const byRules = (right: Right, { rules }: Answers): boolean =>
  rules.get(namespaceOf(right))?.rules.some((rule) => gives(rule, right)) ?? false;

const AUTHORIZATION = "authorization.k8s.io/v1";

/**
 * Returns the permissions that the client's user lacks for these objects and for `more`. `reader` reads the roles and
 * policies that they bind.
 */
export async function missingPermissions(
  client: Client,
  objects: readonly PlacedObject[],
  reader: Client = client,
  more: readonly Right[] = [],
): Promise<Right[]> {
  const applied = objects.filter(({ fate }) => fate === undefined);
  const [roles, params] = await Promise.all([readRoles(reader, applied), paramRights(reader, applied)]);
  const plan = planPermissions(objects, roles, [...params, ...more]);
  const scopes = scopesOf(plan);
  const answers = await Promise.all(scopes.map((scope) => rulesReview(client, scope)));
  const rules = new Map(scopes.map((scope, index) => [scope, answers[index] as RulesAnswer]));
  const access = await accessReviews(client, openRights(plan, { rules, access: new Map() }));
  return missing(plan, { rules, access });
}

async function readRoles(reader: Client, objects: readonly PlacedObject[]): Promise<Map<string, readonly RbacRule[]>> {
  const found = await Promise.all(
    rolesToRead(objects).map(async (ref) => {
      try {
        const role = await reader.get({ apiVersion: `${RBAC}/v1`, ...ref });
        // The cluster has the complete rules of an aggregated role.
        return role && ([roleKey(ref), isObject(role["aggregationRule"]) ? rulesIn(role) : rulesOfRole(role)] as const);
      } catch (error) {
        if (isForbidden(error) || isNotFound(error)) return undefined;
        throw error;
      }
    }),
  );
  return new Map(found.filter((one) => one !== undefined));
}

async function rulesReview(client: Client, namespace: string | undefined): Promise<RulesAnswer> {
  // The API requires a namespace. In one that does not exist, only cluster-wide permissions count.
  const nowhere = `stackyard-${randomBytes(8).toString("hex")}`;
  const review = await client.review(AUTHORIZATION, "SelfSubjectRulesReview", { namespace: namespace ?? nowhere });
  const found = objectAt(review, "status");
  return {
    rules: [...rulesIn(found, "resourceRules"), ...rulesIn(found, "nonResourceRules")],
    incomplete: found["incomplete"] === true,
  };
}

/** Permissions without a name come first: they make reviews of single names unnecessary. */
async function accessReviews(client: Client, rights: readonly Right[]): Promise<Map<string, boolean>> {
  const answers = new Map<string, boolean>();
  const ask = async (right: Right): Promise<boolean> => {
    const key = rightKey(right);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const review = await client.review(AUTHORIZATION, "SelfSubjectAccessReview", attributesOf(right));
    const allowed = at(review, "status", "allowed") === true;
    answers.set(key, allowed);
    return allowed;
  };
  const kinds = new Map<string, Right[]>();
  for (const right of rights) {
    const key = rightKey(withoutName(right));
    const some = kinds.get(key);
    if (some) some.push(right);
    else kinds.set(key, [right]);
  }
  await Promise.all(
    [...kinds.values()].map(async (some) => {
      const all = await ask(withoutName(some[0] as Right));
      for (const right of some) {
        if (all) answers.set(rightKey(right), true);
        else await ask(right);
      }
    }),
  );
  return answers;
}

const withoutName = (right: Right): Right => (isUrlRight(right) ? right : { ...right, name: undefined });

function attributesOf(right: Right): Json {
  if (isUrlRight(right)) return { nonResourceAttributes: { verb: right.verb, path: right.url } };
  const { verb, group, resource: all, name, namespace } = right;
  const [resource, subresource] = all.split("/", 2);
  return { resourceAttributes: { verb, group, resource, subresource, name, namespace } };
}

/** Returns the client's user name. */
export async function whoami(client: Client): Promise<string> {
  const review = await client.review("authentication.k8s.io/v1", "SelfSubjectReview", {});
  return textAt(review, "status", "userInfo", "username") ?? "";
}
