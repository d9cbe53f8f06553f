/** Version of the package, as in package.json; a test compares them. */
export const version = "0.1.0";
