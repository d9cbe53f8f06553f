export interface HolderFlags {
  /** Number of the pull request for which the command is run. */
  readonly pullRequest?: number;
}

export interface AcquireFlags extends HolderFlags {
  readonly reason?: string;
}

export interface ReleaseFlags extends HolderFlags {
  readonly force?: boolean;
}
