/** Message of the program if its stack file was written for a runtime that the stack no longer has. */
export const leftFile = (stack: string): string =>
  `deployed: found ${stack}, and this stack has no runtime: its file is left from one that was destroyed, so nothing was created from it. ` +
  `To create a runtime from this file: stackyard runtime up ${stack} --from-file (by hand: pulumi config rm deployed && pulumi up)`;
