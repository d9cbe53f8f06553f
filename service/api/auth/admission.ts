import type { RateLimiterMemory } from "rate-limiter-flexible";
import { ApiError } from "../errors";
import { identify, noToken, type Presented, type Verifiers } from "./caller";
import type { Identity, TenantTrust } from "./identity";

/** Who sends a request, known from its headers alone. */
export interface Visitor {
  readonly presented: Presented;
  /** Identity of the token; undefined for a request without one, where the service permits such requests. */
  readonly identity?: Identity;
}

export type Admit = (presented: Presented) => Promise<Visitor>;

interface AdmissionSettings {
  readonly verifiers: Verifiers;
  readonly rate?: RateLimiterMemory;
  /** True if requests without a token may read the schema. */
  readonly publicSchema?: boolean;
  readonly runtimes?: TenantTrust;
}

/**
 * Returns a function that authenticates and rate-limits a request before its body is read. Only requests that pass cost
 * more than that.
 */
export function admission({ verifiers, rate, publicSchema = false, runtimes = {} }: AdmissionSettings): Admit {
  return async (presented) => {
    const ofAddress = (): Promise<void> => consume(rate, `address ${presented.address ?? ""}`);
    if (presented.authorization === undefined) {
      const { trustsTenantHeader = false } = runtimes;
      const tenant = presented.tenant?.trim() ?? "";
      // A proxy that is trusted has authenticated the tenant, which has its own limit.
      if (trustsTenantHeader && tenant !== "") await consume(rate, `actor tenant ${tenant}`);
      else await ofAddress();
      if (trustsTenantHeader || publicSchema) return { presented };
      throw noToken();
    }
    try {
      const identity = await identify(presented, verifiers);
      await consume(rate, `actor ${identity.actor}`);
      return { presented, identity };
    } catch (error) {
      if (error instanceof ApiError && error.parts.code !== "RATE_LIMITED") await ofAddress();
      throw error;
    }
  };
}

async function consume(rate: RateLimiterMemory | undefined, key: string): Promise<void> {
  try {
    await rate?.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext = 1000 } = refusal as { msBeforeNext?: number };
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const reason = "there were too many requests of this caller";
    throw new ApiError({ code: "RATE_LIMITED", reason, advice: `try again in ${retryAfter} s`, retryAfter });
  }
}
