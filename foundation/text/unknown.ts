/** Begins what a preview says about rights that its user lacks, and the drift command repeats. */
export const UNKNOWN_TO_USER = "unknown to this user, who may";
