import type * as z from "zod";
import type { Values } from "../../../foundation/json/merge";
import type { Fault, Path } from "../../../foundation/schema/faults";
import { matching, listOf } from "../../../foundation/schema/fields";
import type { FaultContext } from "../../../foundation/schema/issues";

/** The address of the hub, and what else its login depends on. */
export interface Address {
  /** Public host name. Not set if the hub is reachable only by port-forward. */
  readonly host?: string | undefined;
  readonly scheme: "http" | "https";
  /** Whether profiles or limits depend on groups too. */
  readonly groupsElsewhere: boolean;
}

/** What a check of a login gets. */
export interface LoginContext extends Address {
  /** Name of the stack, which determines whether development settings are allowed. */
  readonly stack: string;
  readonly place: FaultContext;
}

/** How users log in, as the chart's `hub` values. */
export interface LoginSettings {
  /** Name of the authenticator in JupyterHub, or of its class with its module. */
  readonly authenticator: string;
  /** Traits of JupyterHub itself. Default: none. */
  readonly hub?: Values;
  /** Traits by class, without secrets. */
  readonly config: Readonly<Record<string, Values>>;
  /** Secret traits by class. The hub reads them from a Kubernetes Secret; they are in no Helm value. */
  readonly secretConfig: Readonly<Record<string, Values>>;
  /** Python code for the hub's configuration, by name. */
  readonly extraConfig?: Readonly<Record<string, string>>;
}

/** A secret key of a login. */
interface LoginSecret {
  /** Its path below `auth`. */
  readonly key: string;
  /** The class and the trait that it becomes, which Helm values must not have. */
  readonly trait: readonly [string, string];
}

/** The contract of a login: a file that exports this, and one line in registry.ts. Pure. */
export interface Login<Schema extends z.ZodObject = z.ZodObject> {
  /** `auth.type` in the stack config. */
  readonly type: string;
  readonly schema: Schema;
  /** Its secret keys. Default: none. */
  readonly secrets?: readonly LoginSecret[];
  /** Checks across its keys. */
  faults(auth: z.output<Schema>, context: LoginContext): readonly Fault[];
  /** What the preview warns of. Default: nothing. */
  warnings?(auth: z.output<Schema>): readonly string[];
  settings(auth: z.output<Schema>, address: Address): LoginSettings;
  /** Name of a group as the hub knows it. Default: as configured. */
  groupName?(name: string): string;
}

/** Checks a login against the contract, and infers its types. */
export const login = <Schema extends z.ZodObject>(one: Login<Schema>): Login<Schema> => one;

export const authPath = (...path: Path): Path => ["jupyterhub", "auth", ...path];

/** A list of names of users. */
export const people = (of: string) => listOf(matching(/^\S+$/, of), "texts");

export const isProduction = (stack: string): boolean => /^prod(uction)?(-|$)/.test(stack);
export const isDevelopment = (stack: string): boolean => /^dev(-|$)/.test(stack);
