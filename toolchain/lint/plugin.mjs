/** Rules of our own for oxlint. */
export default {
  meta: { name: "stackyard" },
  rules: {
    // Imported by its name, it brings its messages in 50 languages into each bundle.
    "zod-namespace": {
      create: (context) => ({
        "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier)[type=/Specifier$/]": (node) =>
          context.report({ node, message: 'Write: import * as z from "zod".' }),
      }),
    },
  },
};
