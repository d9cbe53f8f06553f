/** Prefix of every component token: `stackyard:index:<Name>`. */
export const component = (name: string): string => `stackyard:index:${name}`;
