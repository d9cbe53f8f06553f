/** A health check of one dependency. Throws or returns a reason if the dependency is unhealthy. */
export type Check = () => Promise<string | undefined> | string | undefined;

export interface Health {
  readonly ready: boolean;
  /** `ok` or the failure, by name of the check. */
  readonly checks: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 3000;

/** Runs all checks in parallel. A check that does not finish in time counts as failed. */
export async function healthOf(checks: Readonly<Record<string, Check>>): Promise<Health> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [name, await outcomeOf(check)]),
  );
  return { ready: results.every(([, said]) => said === "ok"), checks: Object.fromEntries(results) };
}

async function outcomeOf(check: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
  });
  try {
    const asked = async (): Promise<string> => (await check()) ?? "ok";
    return await Promise.race([asked(), late]);
  } catch {
    // The error may contain hosts and users; it is only logged.
    return "does not answer";
  } finally {
    clearTimeout(timer);
  }
}

const FRESH_MS = 1000;

/** Runs the checks at most once a second, however often health is asked for: `/readyz` needs no token. */
export function cachedHealth(look: () => Promise<Health>, now: () => number = Date.now): () => Promise<Health> {
  let last: { readonly at: number; readonly health: Promise<Health> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= FRESH_MS) last = { at: now(), health: look() };
    return last.health;
  };
}
