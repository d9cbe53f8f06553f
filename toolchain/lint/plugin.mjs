/** Project-specific rules for oxlint. */
export default {
  meta: { name: "stackyard" },
  rules: {
    // A named import of zod adds its messages in 50 languages to each bundle.
    "zod-namespace": {
      create: (context) => ({
        "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier)[type=/Specifier$/]": (node) =>
          context.report({ node, message: 'Write: import * as z from "zod".' }),
      }),
    },
  },
};
