/** Project-specific rules for oxlint. */
export default {
  meta: { name: "stackyard" },
  rules: {
    // A named import of zod adds its messages in 50 languages to each bundle.
    "zod-namespace": {
      /** @param {{ report(fault: { node: unknown, message: string }): void }} context */
      create: (context) => ({
        "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier)[type=/Specifier$/]": (
          /** @type {unknown} */ node,
        ) => context.report({ node, message: 'Write: import * as z from "zod".' }),
      }),
    },
  },
};
