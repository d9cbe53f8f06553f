/** One thing that the service cannot work without. Throws, or answers why it is not well. */
export type Check = () => Promise<string | undefined> | string | undefined;

export interface Health {
  readonly ready: boolean;
  /** `ok`, or what is wrong, by name. */
  readonly checks: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 3000;

/** Asks everything at once; what does not answer in time is not well. */
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
    // The message may name hosts and users; the log has it.
    return "does not answer";
  } finally {
    clearTimeout(timer);
  }
}
