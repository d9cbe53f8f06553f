export interface HolderFlags {
  /** Number of the pull request that runs the command. */
  readonly pullRequest?: number;
}

export interface AcquireFlags extends HolderFlags {
  readonly reason?: string;
}

export interface ReleaseFlags extends HolderFlags {
  readonly force?: boolean;
}
