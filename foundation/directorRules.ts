/** What a Director accepts as name, description and labels of a runtime. */

interface Rule {
  readonly expected: string;
  accepts(this: void, text: string): boolean;
}

const LONGEST_DESCRIPTION = 2000;

export const DIRECTOR_RULES: Readonly<Record<"name" | "description" | "labelKey", Rule>> = {
  name: {
    expected: "a name of a-z, 0-9, - and ., 36 characters at most, no digit first",
    accepts: (text) => /^[a-z.-][a-z0-9.-]{0,35}$/.test(text),
  },
  description: {
    expected: `a text of ${LONGEST_DESCRIPTION} characters at most`,
    accepts: (text) => text.length <= LONGEST_DESCRIPTION,
  },
  labelKey: {
    expected: "keys of letters, digits and _, 256 characters at most",
    accepts: (text) => /^[A-Za-z0-9_]{1,256}$/.test(text),
  },
};
