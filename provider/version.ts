/** Version of the package: `npm run generate` takes it from package.json. */
export const version = "0.1.0";
