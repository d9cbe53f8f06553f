/** What the program says when its stack was changed after the request had been prepared; the command then tries again. */
export const CHANGED_MEANWHILE =
  "the runtime was changed by another process after this request had been prepared; nothing was changed. Run the command again";
