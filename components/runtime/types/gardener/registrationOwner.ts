/** Owner of a registration in a Director. `platform`: the platform stack, `organization/stackyard/dev`. */
export const registrationOwner = (platform: string, deployment: string): string => `${platform}/${deployment}`;
