import type { TryOptions } from "../stack/tryOut";
import type { Wish } from "./clusters";

export interface RayOptions {
  readonly stack: string;
}

export type UpOptions = RayOptions & TryOptions & Wish;
export type ListOptions = RayOptions & { readonly json?: boolean };
export type SubmitFlags = RayOptions & {
  readonly workingDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pip?: readonly string[];
  readonly wait: boolean;
};
