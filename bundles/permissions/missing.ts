/** Determines which permissions of a plan a user lacks, from the API server's responses. Pure. */

import type { PermissionPlan } from "./permissionPlan";
import { gives, namespaceOf, rightKey, unique, type Right, type RbacRule } from "./rbac/rules";

/** Response to a SelfSubjectRulesReview. */
export interface RulesAnswer {
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
