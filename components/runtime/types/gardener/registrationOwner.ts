/** Owner of a registration in a Director: `platform` is the platform stack, `organization/stackyard/dev`. */
export const registrationOwner = (platform: string, deployment: string): string => `${platform}/${deployment}`;
