/** Message of the program if the stack changed after the request was prepared. The command then retries. */
export const CHANGED_MEANWHILE =
  "the runtime was changed by another process after this request had been prepared; nothing was changed. Run the command again";
