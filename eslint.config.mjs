import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/**", "library/types/**", ".yard/**", "toolchain/go/**"] },
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      // Imported by its name, it brings its messages in 50 languages into each bundle.
      "no-restricted-syntax": [
        "error",
        {
          selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier)[type=/Specifier$/]",
          message: 'Write: import * as z from "zod".',
        },
      ],
    },
  },
  {
    // Mocha's describe and it are told by their titles, and assertions on unknown JSON read better unwrapped.
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "max-lines": "off",
    },
  },
);
