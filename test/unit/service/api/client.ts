import { join } from "node:path";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { staticIdentities } from "../../../../service/api/auth/tokens";
import type { Backend } from "../../../../service/api/backend";
import type { RuntimeSettings } from "../../../../service/api/context";
import { readSchema } from "../../../../service/api/schema";
import { apiSchema, createApi, type ApiSettings } from "../../../../service/api/yoga";

export const SDL = readSchema(join(__dirname, "../../../../service/api"));

/** Made once, because that takes longer than a test. */
const SCHEMA = apiSchema(SDL);

/** A token of each role in the tenant acme, and one that is an administrator of all tenants. */
export const TOKENS = {
  viewer: "viewer-of-acme",
  operator: "operator-of-acme",
  admin: "admin-of-acme",
  all: "admin-of-all-tenants",
} as const;

/** The `extensions` of an error. */
export interface Shown {
  readonly code?: string;
  readonly status?: number;
  readonly class?: string;
  readonly reason: string;
  readonly component?: string;
  readonly path?: string;
  readonly advice?: string;
  readonly retryable?: boolean;
}

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- every test knows what it asked for
  readonly data?: Readonly<Record<string, any>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Shown; readonly locations?: object }[];
}

export interface Asking {
  readonly token?: string;
  readonly tenant?: string;
  readonly variables?: object;
}

/** A Gardener that says nothing of clusters, and issues kubeconfigs for them. */
const SHOOTS: NonNullable<RuntimeSettings["shoots"]> = {
  soon: () => Promise.resolve(undefined),
  kubeconfig: () => Promise.resolve(undefined),
  issue: () => Promise.resolve({ kubeconfig: "issued", expires: Date.parse("2026-01-01T00:00:00Z") }),
};

/** The API over a backend, in this process. */
export function apiOver(backend: Backend, more: Partial<ApiSettings> = {}) {
  const logged: object[] = [];
  const api = createApi(backend, {
    endpoint: "/graphql",
    schema: SCHEMA,
    limits: { depth: 12, cost: 5000, aliases: 15 },
    rate: new RateLimiterMemory({ points: 1_000_000, duration: 60 }),
    defaultPlatform: "dev",
    verifiers: {
      known: staticIdentities([
        { token: TOKENS.viewer, tenant: "acme", role: "viewer" },
        { token: TOKENS.operator, tenant: "acme", role: "operator" },
        { token: TOKENS.admin, tenant: "acme", role: "admin" },
        { token: TOKENS.all, tenant: "*", role: "admin" },
      ]),
    },
    runtimes: { shoots: SHOOTS },
    log: { info: () => undefined, warn: (fields) => logged.push(fields), error: (fields) => logged.push(fields) },
    ...more,
  });
  const ask = async (query: string, { token = TOKENS.operator, tenant, variables }: Asking = {}): Promise<Answer> => {
    const response = await api.fetch("http://localhost/graphql", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(tenant === undefined ? {} : { tenant }),
      },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  return { api, ask, logged };
}

/** The `extensions` of the first error; without any text where there is none. */
export const errorOf = ({ errors }: Answer): Shown => errors?.[0]?.extensions ?? { reason: "" };
