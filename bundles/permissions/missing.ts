/** Which rights of a plan an identity does not have, by what the API server answered. Pure. */

import type { PermissionPlan } from "./plan";
import { gives, namespaceOf, rightKey, unique, type Right, type Rule } from "./rbac/rules";

/** What a SelfSubjectRulesReview answers. */
export interface RulesAnswer {
  readonly rules: readonly Rule[];
  /** Rights may come from where rules can't know, such as a webhook. */
  readonly incomplete: boolean;
}

export interface Answers {
  /** By namespace; those of the whole cluster under undefined. */
  readonly rules: ReadonlyMap<string | undefined, RulesAnswer>;
  /** Of SelfSubjectAccessReviews, by {@link rightKey}. */
  readonly access: ReadonlyMap<string, boolean>;
}

/** Namespaces whose rules must be asked for; undefined is the whole cluster. */
export function scopesOf({ rights, givings }: PermissionPlan): (string | undefined)[] {
  const all = [...rights, ...givings.flatMap(({ instead, rights: given = [] }) => [instead, ...given])];
  return [...new Set(all.map(namespaceOf))];
}

/** Rights that rules leave open, so that each must be asked for. */
export function openRights(plan: PermissionPlan, answers: Answers): Right[] {
  const instead = plan.givings.filter((giving) => !givingIsCovered(giving, answers)).map((giving) => giving.instead);
  return unique([...plan.rights, ...instead]).filter(
    (right) => !byRules(right, answers) && answers.rules.get(namespaceOf(right))?.incomplete !== false,
  );
}

/**
 * The rights that are missing. For who may not give rights away that he hasn't, these are the rights themselves: they say
 * more than `escalate`, which is the right to everything.
 */
export function missing(plan: PermissionPlan, answers: Answers): Right[] {
  const has = (right: Right): boolean => byRules(right, answers) || answers.access.get(rightKey(right)) === true;
  const ofGivings = plan.givings.flatMap(({ instead, rights }): readonly Right[] => {
    if (has(instead)) return [];
    // The server compares rules here, and asks nobody else.
    return rights?.filter((right) => !byRules(right, answers)) ?? [instead];
  });
  return unique([...plan.rights.filter((right) => !has(right)), ...ofGivings]);
}

const givingIsCovered = ({ rights }: PermissionPlan["givings"][number], answers: Answers): boolean =>
  rights?.every((right) => byRules(right, answers)) ?? false;

const byRules = (right: Right, { rules }: Answers): boolean =>
  rules.get(namespaceOf(right))?.rules.some((rule) => gives(rule, right)) ?? false;
