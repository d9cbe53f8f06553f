import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../../../foundation/pulumi/resource";

/** Creates a resource type in moto: converts the provider's inputs to requests to AWS. */
export interface Maker<Inputs extends object = Properties> {
  /** The inputs that it sends. Others are an error, because moto would not test them. */
  readonly takes: readonly string[];
  readonly create: (inputs: Inputs) => Promise<Made>;
  /** Missing if nothing can be updated in place. Returns changed outputs. */
  readonly update?: (id: string, inputs: Inputs, old: Inputs) => Promise<Properties | void>;
  readonly delete: (id: string, inputs: Inputs) => Promise<unknown>;
}

/** A resource in moto. */
export interface Made {
  readonly id: string;
  /** Outputs that only moto knows, such as an ARN. */
  readonly outputs?: Properties;
}

type Plain<Args> = pulumi.Unwrap<Args> & object;

/** Creates a maker whose arguments have the provider's typings. */
export function maker<Args extends object>(
  own: Maker<Plain<Args>> & { readonly takes: readonly (keyof Args & string)[] },
): Maker {
  return own as unknown as Maker;
}

/** Settings of a client for any service: moto has one address for all, and accepts any credentials. */
export function connection(endpoint = process.env["STACKYARD_AWS_MOTO"] ?? "") {
  return {
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "double", secretAccessKey: "double" },
    maxAttempts: 1,
  };
}

/** Asserts a field that is optional in the SDK's types, but that AWS always returns. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("moto did not return what AWS always returns");
  return value;
}

/** Random suffix for names whose inputs only have a prefix. */
export const suffix = (): string => Math.random().toString(36).slice(2, 12);
