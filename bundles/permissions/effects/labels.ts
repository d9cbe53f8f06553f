/** Labels and annotations that describe an object for people. */

const DESCRIPTIVE =
  /^((app\.kubernetes\.io|helm\.sh|meta\.helm\.sh|stackyard\.dev|applyset\.kubernetes\.io)\/.*|app|chart|heritage|release|version)$/;

export const isDescriptive = (key: string): boolean => DESCRIPTIVE.test(key);
