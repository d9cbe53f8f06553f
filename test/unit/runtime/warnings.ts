import * as pulumi from "@pulumi/pulumi";

/** Runs a program of Pulumi; what it gives, and what it warned of. */
export async function withWarnings<T>(program: () => Promise<T>): Promise<{ value: T; warned: string[] }> {
  const warned: string[] = [];
  const { warn } = pulumi.log;
  const replace = (value: typeof warn): void =>
    void Object.defineProperty(pulumi.log, "warn", { configurable: true, writable: true, value });
  replace((text) => Promise.resolve(void warned.push(text)));
  try {
    return { value: await program(), warned };
  } finally {
    replace(warn);
  }
}
