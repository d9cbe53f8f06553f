/** Properties of the package schema. */

export const text = (description: string) => ({ type: "string", description });
export const count = (description: string) => ({ type: "integer", description });
export const flag = (description: string) => ({ type: "boolean", description });
export const secret = (description: string) => ({ ...text(description), secret: true });
