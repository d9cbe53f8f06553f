export interface LockOptions {
  readonly stack?: string;
  readonly mirror?: string;
  readonly username?: string;
  readonly file?: string;
  readonly replace?: boolean;
}

/** A password on a command line would be visible to all users of the machine. */
export const PASSWORD_VARIABLE = "STACKYARD_CHARTS_PASSWORD";
