import { codeOfDivision } from '../names/place_names.ts';

/** The states of the United States that the press shortens, by the letters of what it writes. */
const STATES: Readonly<Record<string, string>> = {
  ...{ ala: 'Alabama', ariz: 'Arizona', ark: 'Arkansas', calif: 'California', colo: 'Colorado', conn: 'Connecticut' },
  ...{ del: 'Delaware', fla: 'Florida', ga: 'Georgia', ill: 'Illinois', ind: 'Indiana', kan: 'Kansas', kans: 'Kansas' },
  ...{ ky: 'Kentucky', la: 'Louisiana', md: 'Maryland', mass: 'Massachusetts', mich: 'Michigan', minn: 'Minnesota' },
  ...{ miss: 'Mississippi', mo: 'Missouri', mont: 'Montana', neb: 'Nebraska', nebr: 'Nebraska', nev: 'Nevada' },
  ...{ nh: 'New Hampshire', nj: 'New Jersey', nm: 'New Mexico', nmex: 'New Mexico', ny: 'New York' },
  ...{
    nc: 'North Carolina',
    nd: 'North Dakota',
    ndak: 'North Dakota',
    okla: 'Oklahoma',
    ore: 'Oregon',
    oreg: 'Oregon',
  },
  ...{ pa: 'Pennsylvania', penn: 'Pennsylvania', ri: 'Rhode Island', sc: 'South Carolina', sd: 'South Dakota' },
  ...{ sdak: 'South Dakota', tenn: 'Tennessee', tex: 'Texas', vt: 'Vermont', va: 'Virginia', wash: 'Washington' },
  ...{ wva: 'West Virginia', wis: 'Wisconsin', wisc: 'Wisconsin', wyo: 'Wyoming', dc: 'District of Columbia' },
};

/** The state that a text shortens with full stops, as the Associated Press does: "Ind.", "N.C.", "W. Va."; null for any other. */
export function pressState(text: string): string | null {
  const letters = text.trim();
  return /^(?:\p{L}{1,5}\.\s?){1,2}$/u.test(letters)
    ? (STATES[letters.replaceAll(/[.\s]/g, '').toLowerCase()] ?? null)
    : null;
}

/** The letters of the ISO 3166-2 code of such a state: "NC" of "N.C."; null for any other text. */
export function codeOfPressState(text: string): string | null {
  const state = pressState(text);
  return state === null ? null : codeOfDivision('US', state);
}

/** Characters at the end of a name that a shortened state may have. */
const LONGEST = 16;
/** A state of two words and of one at the end of a text. */
const AT_END = [/\p{L}{1,5}\.\s?\p{L}{1,5}\.\)?$/u, /\p{L}{1,5}\.\)?$/u];

/** A name with the state behind it written out: "Adams County, Ind." is "Adams County, Indiana". Any other name as it is. */
export function withStateWrittenOut(name: string): string {
  const text = name.trim();
  const end = text.slice(-LONGEST);
  for (const atEnd of AT_END) {
    const [found = ''] = atEnd.exec(end) ?? [];
    const before = text.slice(0, text.length - found.length);
    const state = pressState(found.replace(')', ''));
    // What is in front of it: a comma, a bracket, a dash or a blank.
    if (state !== null && /[,(\s]$/.test(before)) return `${before.replace(/[\s,(–-]{1,4}$/u, '')}, ${state}`;
  }
  return name;
}
