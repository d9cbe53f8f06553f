/**
 * Variables of the Kyma Runtime Provisioner that the service does not use, each with the reason and what to do instead.
 */
export const NOT_USED: Readonly<Record<string, string>> = {
  APP_DATABASE_SECRET_KEY: "Secrets in the database are encrypted with the keys of `APP_ENCRYPTION_KEYS`.",
  APP_OPERATOR_ROLE_BINDING_CREATING_FOR_ADMIN:
    "The `administrators` of a request are always bound to `cluster-admin`.",
  APP_LATEST_DOWNLOADED_RELEASES: "A release of Kyma is downloaded when it is installed, and never before.",
  APP_DOWNLOAD_PRE_RELEASES: "A release of Kyma is downloaded when it is installed, and never before.",
  APP_SUPPORT_ON_DEMAND_RELEASES: "Versions such as `PR-123` and `main-abc` are always supported by Kyma's installer.",
  APP_RUN_AWS_CONFIG_MIGRATION: "Requests with one zone and requests with a list of zones are both supported.",
};

export interface NotUsed {
  readonly variable: string;
  readonly reason: string;
}

/** Returns the variables that are set but not used, without values, because one of them is a secret. Pure. */
export function notUsedIn(env: Readonly<Record<string, string | undefined>>): NotUsed[] {
  return Object.keys(env).flatMap((variable) => {
    const reason = NOT_USED[variable];
    return reason === undefined || !env[variable] ? [] : [{ variable, reason }];
  });
}
