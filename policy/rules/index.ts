import type { Rule } from "../rule";
import { encryption } from "./encryption";
import { endpoints } from "./endpoints";
import { iam } from "./iam";
import { images } from "./images";
import { limits } from "./limits";
import { pods } from "./pods";
import { protection } from "./protection";

/** Every rule of the pack. */
export const RULES: readonly Rule[] = [endpoints, encryption, iam, pods, images, limits, protection];
