import type { Rule } from "../rule";
import { encryption } from "./encryption";
import { endpoints } from "./endpoints";
import { exposure } from "./exposure";
import { iam } from "./iam";
import { images } from "./images";
import { limits } from "./limits";
import { metadata } from "./metadata";
import { pods } from "./pods";
import { protection } from "./protection";
import { rbac } from "./rbac";

/** All rules of the policy pack. */
export const RULES: readonly Rule[] = [
  endpoints,
  exposure,
  encryption,
  metadata,
  iam,
  rbac,
  pods,
  images,
  limits,
  protection,
];
