import * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { strict } from "../../../foundation/schema/fields";
import { authPath, isDevelopment, login, people } from "./login";

export const dummy = login({
  type: "dummy",
  schema: strict("an object", {
    type: z
      .literal("dummy")
      .describe("Every user can log in with any name and no password. Only for stacks named `dev` or `dev-…`."),
    adminUsers: people("a name").default([]).describe("Names of administrators."),
  }),
  faults(_auth, { stack }) {
    if (isDevelopment(stack)) return [];
    const expected = `another type; dummy accepts any user and is only for stacks called dev or dev-…, and this one is ${JSON.stringify(stack)}`;
    return [mismatch(authPath("type"), '"dummy"', expected)];
  },
  settings: ({ adminUsers }) => ({
    authenticator: "dummy",
    config: { DummyAuthenticator: { allowed_users: [], admin_users: adminUsers, allow_all: true } },
    secretConfig: {},
  }),
});
