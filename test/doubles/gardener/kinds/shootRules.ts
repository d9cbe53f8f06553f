/** Rules of the specification of a Shoot across its fields, in CEL. */

import type { Rule } from "./blocks";

export const isPrimary = (provider: string): string => `has(${provider}.primary) && ${provider}.primary`;

/** Whether the version of Kubernetes is at least 1.`minor`. */
const from = (minor: number): string => `int(self.kubernetes.version.split('.')[1]) >= ${minor}`;

export const SPEC_RULES: readonly Rule[] = [
  {
    rule: `!has(oldSelf.dns) || !has(oldSelf.dns.providers) || !oldSelf.dns.providers.exists(old, ${isPrimary("old")}) || (has(self.dns) && has(self.dns.providers) && self.dns.providers.exists(one, ${isPrimary("one")} && oldSelf.dns.providers.exists(old, ${isPrimary("old")} && old.type == one.type)))`,
    message: "removing or changing the primary provider type is not allowed",
    fieldPath: ".dns",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(oldSelf.hibernation) || !has(oldSelf.hibernation.enabled) || !oldSelf.hibernation.enabled || has(oldSelf.controlPlane) || !has(self.controlPlane)",
    message: "Shoot is currently hibernated and cannot be scaled up to HA",
    fieldPath: ".controlPlane",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(oldSelf.seedName) || has(self.seedName)",
    message: "seedName is already set and cannot be changed to 'nil'",
    fieldPath: ".seedName",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(self.extensions) || self.extensions.all(one, self.extensions.filter(other, other.type == one.type).size() == 1)",
    message: "Duplicate value",
    fieldPath: ".extensions",
  },
  {
    rule: `!(${from(34)}) || !has(self.cloudProfileName)`,
    message:
      "for Kubernetes version >= 1.34, cloudProfileName field is no longer supported, use spec.cloudProfile.name instead",
    fieldPath: ".cloudProfileName",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!(${from(34)}) || !has(self.secretBindingName)`,
    message:
      "for Kubernetes versions >= 1.34, secretBindingName field is no longer supported, use spec.credentialsBindingName instead",
    fieldPath: ".secretBindingName",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!(${from(35)}) || !has(self.dns) || !has(self.dns.providers) || !self.dns.providers.exists(provider, has(provider.secretName))`,
    message: "for Kubernetes versions >= 1.35, secretName field is no longer supported",
    fieldPath: ".dns.providers",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(oldSelf.credentialsBindingName) || has(self.credentialsBindingName)",
    message: "the field cannot be unset",
    fieldPath: ".credentialsBindingName",
    reason: "FieldValueForbidden",
  },
  {
    rule: "has(self.cloudProfileName) || has(self.cloudProfile)",
    message: "must specify a cloud profile",
    fieldPath: ".cloudProfile",
  },
  {
    rule: "has(self.secretBindingName) != has(self.credentialsBindingName)",
    message: "must set exactly one of secretBindingName and credentialsBindingName",
    fieldPath: ".secretBindingName",
  },
  {
    rule: "!has(oldSelf.secretBindingName) || !has(self.secretBindingName) || self.secretBindingName == oldSelf.secretBindingName",
    message: "field is immutable",
    fieldPath: ".secretBindingName",
  },
  {
    rule: "has(self.provider.workers) && size(self.provider.workers) > 0",
    message: "must have at least one worker",
    fieldPath: ".provider.workers",
  },
];
