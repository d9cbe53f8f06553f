export interface Wanted {
  readonly pool: string;
  readonly deployment: string;
  readonly slots: number;
  /** May a deployment that is in the pool already go to another host where its own has no room or is drained? Default: false. */
  readonly allowMove?: boolean;
  /** Host on which the deployment was before its allocation got lost: the only one, unless it may move. */
  readonly lostHost?: string;
}
