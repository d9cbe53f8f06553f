import * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { matching, strict } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import { secret } from "../../../foundation/schema/secretValues";
import * as access from "./access";
import { authPath, isDevelopment, login } from "./login";

/** Accepts any user. */
const DUMMY = /^dummy$|\.DummyAuthenticator$/;
const NAME = /^[A-Za-z_]\w*$/;

export const custom = login({
  type: "custom",
  schema: strict("an object", {
    type: z
      .literal("custom")
      .describe(
        "Users log in through a class of your choice, which decides alone who may log in. The preview warns of it.",
      ),
    class: matching(
      /^[A-Za-z_][\w-]*(\.[A-Za-z_]\w*)*$/,
      "a class such as nativeauthenticator.NativeAuthenticator",
    ).describe(
      "The class with its module, or its name in JupyterHub, such as `native`. The hub's image must contain it. Set its traits in `values`, at `hub.config.<Class>`.",
    ),
    secrets: z
      .record(
        matching(NAME, "the name of a class"),
        z.record(matching(NAME, "the name of a trait"), secret(z.string({ error: "a secret" })), {
          error: "an object of secrets by trait",
        }),
        { error: "an object of secrets by class and trait" },
      )
      .default({})
      .describe("Secret traits by class and trait. They are put into a Kubernetes Secret and nowhere else."),
    ...access.sessionFields(),
  }),
  faults(auth, { stack, place }) {
    if (!DUMMY.test(auth.class) || isDevelopment(stack)) return [];
    const path = authPath("class");
    const expected = "a class that requires a password; this one is only for stacks called dev or dev-…";
    return [mismatch(path, foundAt(place, path), expected)];
  },
  warnings: (auth) => [
    `stackyard:jupyterhub.auth: the class ${auth.class} decides alone who may log in; Stackyard does not know whether it ` +
      "requires a password, or rejects somebody who was removed when the hub asks it again",
  ],
  settings: (auth) => ({
    authenticator: auth.class,
    hub: access.sessionTraits(auth),
    config: { Authenticator: access.refreshTraits(auth) },
    secretConfig: auth.secrets,
  }),
});
