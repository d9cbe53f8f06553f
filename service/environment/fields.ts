import { isIP } from "node:net";
import * as z from "zod";
import { PERIOD_EXPECTED, parsePeriod } from "../lifetimes/period";
import { KEYS_EXPECTED, parseKeys, type SealKey } from "../database/sealing/keys";

/** Parses the text of a variable to its value. The error message says what is expected. */
export type Field<T> = z.ZodType<T, string>;

const expected = (test: RegExp, what: string) => z.string().regex(test, what);

export const text = (): Field<string> => z.string();

export const flag = (): Field<boolean> =>
  expected(/^(true|false|1|0)$/i, "true or false").transform((value) => /^(true|1)$/i.test(value));

export const whole = (least: number, most: number): Field<number> =>
  expected(/^\d{1,9}$/, `a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most}`);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A Go duration such as `90s`, `15m` or `1h30m`; the value is in milliseconds. */
export const goDuration = (): Field<number> =>
  expected(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, "a duration such as 90s, 15m or 1h30m")
    .transform((value) =>
      [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
        (sum, [, amount, unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0),
        0,
      ),
    )
    // The limit of setTimeout.
    .refine((value) => value > 0 && value < 2 ** 31, "a duration above 0 and under 24 days");

/** A period of days or more, such as `36h` or `7d`; the value is in seconds. */
export const period = (): Field<number> =>
  z
    .string()
    .refine((value) => parsePeriod(value) !== undefined, PERIOD_EXPECTED)
    .transform((value) => parsePeriod(value) ?? 0);

export interface Address {
  /** Empty for all addresses of the machine. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** `127.0.0.1:3000`, `:3000` or `[::1]:3000`. */
export const address = (): Field<Address> =>
  expected(/^(?:[\w.-]*|\[[\da-fA-F:]+\]):\d{1,5}$/, "an address such as 127.0.0.1:3000 or :3000")
    .transform((value) => {
      const at = value.lastIndexOf(":");
      return { host: value.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(value.slice(at + 1)) };
    })
    .refine(({ port }) => port < 65_536, "an address with a port up to 65535");

/** Path of an endpoint. `/` is the status page. */
export const endpoint = (): Field<string> =>
  expected(/^\/[\w.~-]+(?:\/[\w.~-]+)*$/, "a path such as /graphql").refine(
    (value) => !["/healthz", "/readyz", "/events", "/assets"].includes(value),
    "a path that the service does not use itself",
  );

export const url = (protocols: readonly string[]): Field<string> =>
  z.string().refine(
    (value) => {
      return URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1));
    },
    `a URL that begins with ${protocols.map((name) => `${name}://`).join(" or ")}`,
  );

/** URL of a webhook receiver. Signatures authenticate the sender, so it has no user. */
export const receiver = (): Field<string> =>
  url(["https", "http"]).refine((value) => {
    const { username = "", password = "" } = URL.parse(value) ?? {};
    return username === "" && password === "";
  }, "a URL without user and password");

const isNetwork = (text: string): boolean => {
  const [address = "", bits = "0", ...more] = text.split("/");
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return most !== undefined && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
};

/** Networks and addresses, separated by commas. */
export const networks = (): Field<readonly string[]> =>
  z
    .string()
    .transform((value) => value.split(",").map((each) => each.trim()))
    .refine((all) => all.every(isNetwork), "networks such as 10.0.0.0/8, separated by commas");

export const oneOf = <const T extends string>(values: readonly T[]): Field<T> =>
  z.string().refine((value): value is T => values.includes(value as T), `one of ${values.join(", ")}`);

/** Keys that seal secrets. The first one seals new values. */
export const sealKeys = (): Field<readonly SealKey[]> =>
  z.string().transform((value, context) => {
    const keys = parseKeys(value);
    if (keys) return keys;
    context.addIssue({ code: "custom", message: KEYS_EXPECTED });
    return z.NEVER;
  });

export interface StaticToken {
  readonly token: string;
  /** `*` for all tenants. */
  readonly tenant: string;
  readonly role: "admin" | "operator" | "viewer";
}

/** `token=tenant:role`, several separated by commas. */
export const staticTokens = (): Field<readonly StaticToken[]> =>
  expected(
    /^(?:[\w.~+/-]{8,}=(?:[\w.-]{1,63}|\*):(?:admin|operator|viewer)(?:,\s*|$))+$/,
    "token=tenant:role, separated by commas, with tokens of 8 characters or more and the roles admin, operator, viewer",
  ).transform((value) =>
    value.split(/,\s*/).flatMap((each) => {
      const [, token = "", tenant = "", role = ""] = /^(.*)=([^=:]*):(\w+)$/.exec(each) ?? [];
      return token === "" ? [] : [{ token, tenant, role: role as StaticToken["role"] }];
    }),
  );
