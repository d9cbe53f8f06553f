/**
 * Text of others for messages, without control and formatting characters: they could move the cursor of a terminal, or
 * pretend to be a line of ours.
 */
export const printable = (text: string): string => text.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd");
