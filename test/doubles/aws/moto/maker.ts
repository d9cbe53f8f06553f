import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../../../foundation/pulumi/resource";

/** How the double has a resource type in moto: its inputs, in the provider's words, as requests to AWS. */
export interface Maker<Inputs extends object = Properties> {
  /** The inputs that it sends. Another one is an error: what moto never hears of is not tried. */
  readonly takes: readonly string[];
  readonly create: (inputs: Inputs) => Promise<Made>;
  /** Absent where nothing changes in place. Answers the outputs that are others now. */
  readonly update?: (id: string, inputs: Inputs, old: Inputs) => Promise<Properties | void>;
  readonly delete: (id: string, inputs: Inputs) => Promise<unknown>;
}

/** What moto made. */
export interface Made {
  readonly id: string;
  /** What only moto knows, such as an ARN. */
  readonly outputs?: Properties;
}

type Plain<Args> = pulumi.Unwrap<Args> & object;

/** A maker for the arguments that the provider's own typings report. */
export function maker<Args extends object>(
  own: Maker<Plain<Args>> & { readonly takes: readonly (keyof Args & string)[] },
): Maker {
  return own as unknown as Maker;
}

/** A client of any service: moto is at one address for all, and takes whatever credentials. */
export function connection(endpoint = process.env["STACKYARD_AWS_MOTO"] ?? "") {
  return {
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "double", secretAccessKey: "double" },
    maxAttempts: 1,
  };
}

/** A field that the SDK's types leave open, and AWS always answers. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("moto did not return what AWS always returns");
  return value;
}

/** Ends names of which the inputs report the beginning only. */
export const suffix = (): string => Math.random().toString(36).slice(2, 12);
