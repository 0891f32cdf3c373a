import { foldLookalikes } from './fold-lookalikes.ts';
import { WORD_FOR_A_NUMBER_TO_CALL } from './words-for-a-number-to-call.ts';

/**
 * The text without the registrations, licences and tax numbers that hosts must print by law. Only a number in the form of its
 * authority, directly behind the authority's word, counts; and none that is said to be one to call.
 */
export function withoutOfficialNumbers(folded: string): string {
  return folded.replace(OFFICIAL_NUMBER, (number: string, at: number) => {
    const end = at + number.length;
    const isToCall =
      CALLED_BEFORE.test(folded.slice(Math.max(0, at - MAX_LOOKED_AROUND), at)) ||
      CALLED_AFTER.test(folded.slice(end, end + MAX_LOOKED_AROUND));
    return isToCall ? number : ' , ';
  });
}

type OfficialNumber = {
  /** Alternatives, as they are written; `.` and blanks may be left out where `?` says so. */
  readonly words: string;
  /** None may begin with zeros of an international number or read as a number of its own country. */
  readonly form: string;
};

const OFFICIAL_NUMBERS: readonly OfficialNumber[] = [
  // Greece: the register of short stays fills up with zeros; tax numbers are a digit shorter than phone numbers.
  { words: 'ΑΜΑ|α\\.μ\\.α\\.?', form: '0000\\d{7}' },
  { words: 'ΑΦΜ|afm', form: '(?!00)[0189]\\d{8}' },
  // Hawaii: island, zone, section, plat, parcel and unit of the land.
  { words: 'tmk', form: '(?:\\([1-4]\\) ?|[1-4]-)?\\d-\\d-\\d{3}-\\d{3}(?:-\\d{4})?|[1-4]\\d{12,14}' },
  // Austria, Salzburg: municipality, number, year.
  { words: 'reg\\.?|regnr\\.?', form: '[1-9]\\d{4}-\\d{6}-20\\d{2}' },
  // France
  { words: 'déclaration|enregistrement|meublé|n ?°|no', form: '\\d{5}[ -]?\\d{6}[ -]?[\\da-z]?[a-z]' },
  { words: 'siret', form: '[1-9]\\d{2} ?\\d{3} ?\\d{3} ?\\d{5}' },
  { words: 'siren', form: '[1-9]\\d{2} ?\\d{3} ?\\d{3}' },
  { words: 'tva(?: intracom(?:munautaire)?\\.?)?|vat', form: 'fr ?\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}' },
  // Belgium: without its letters, 046 to 049 would read as a mobile phone.
  {
    words: 'tva|btw|vat|bce|kbo|ondernemingsnummer',
    form: '(?:be ?|(?!04[6-9]))[01]\\d{3}\\.\\d{3}\\.\\d{3}',
  },
  // Germany
  { words: 'ust\\.?-?id(?:-?nr)?\\.?|vat(?: id)?', form: 'de ?\\d{3} ?\\d{3} ?\\d{3}' },
  // Italy: in one group, where mobile numbers begin with 3 and have ten digits.
  { words: 'p\\.? ?iva|partita iva', form: '(?!00[1-9])[01]\\d{10}' },
  // Croatia
  { words: 'oib', form: '(?!385|00)\\d{11}' },
  // Poland
  { words: 'nip', form: '[1-9]\\d{2}(?:-\\d{3}-\\d{2}-\\d{2}|-\\d{2}-\\d{2}-\\d{3}|\\d{7})' },
  // Portugal: companies begin with 5, phones with 2 or 9.
  { words: 'nipc', form: '5\\d{2} ?\\d{3} ?\\d{3}' },
  // Norway, where phone numbers have eight digits, and Sweden, where they begin with 0.
  { words: 'org\\.? ?-?(?:nr|no)\\.?|organisasjonsnummer', form: '[89]\\d{2} ?\\d{3} ?\\d{3}' },
  { words: 'org\\.? ?-?nr\\.?|organisationsnummer', form: '[25-9]\\d[2-9]\\d{3}-\\d{4}' },
  // Hungary
  { words: 'adószám|asz', form: '\\d{8}-[1-5]-\\d{2}' },
  // Australia: an ABN with the digits of a phone of the country behind 61 stays one to call.
  { words: 'abn', form: '(?!61 ?[23478])[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}' },
  { words: 'acn', form: '[016]\\d{2} ?\\d{3} ?\\d{3}' },
  // New Zealand and the United States
  { words: 'nzbn', form: '9429\\d{9}' },
  { words: 'ein', form: '\\d{2}-\\d{7}' },
];

/** Nobody writes a phone number like these, so they need no word before them. */
const UNMISTAKABLE = [
  // Hamburg: the number of a home is filled up with zeros.
  '[1-9]\\d-00\\d{5}-\\d{2}(?:-\\d)?',
  // Hawaii: the account of a tax; behind 808 it would read as a phone of the islands.
  '(?:ta|ge)[ -](?!808)\\d{3}-\\d{3}-\\d{4}-\\d{2}',
  // Switzerland
  'che-\\d{3}\\.\\d{3}\\.\\d{3}',
];

const BETWEEN = ' ?(?:-?(?:n ?°|no|nr|num|numero|number|nummer|#)\\.?)? ?[:=-]? ?';
// Every part has a bound and none is captured: the time is linear, and the position comes second in a replacement.
const OFFICIAL_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    ...OFFICIAL_NUMBERS.map(
      ({ words, form }) => `(?:${foldLookalikes(words)})${BETWEEN}(?:${form})(?! \\d{3})`,
    ),
    ...UNMISTAKABLE.map((form) => `(?<!\\d[.\\/-])${form}`),
  ].join('|')})(?![\\p{L}\\p{N}]|[-.\\/]\\d)`,
  'gu',
);

const MAX_LOOKED_AROUND = 50;
const TO_CALL = `(?:${WORD_FOR_A_NUMBER_TO_CALL}|dial|message|msg|chat)(?!\\p{L})`;
const CALLED_BEFORE = new RegExp(`(?<!\\p{L})${TO_CALL}(?:[^\\d\\n]{0,12}|[^\\d\\n.;!?]{0,36})$`, 'u');
const CALLED_AFTER = new RegExp(`^[ (),:-]{0,4}(?:(?:on|via|per|by|in|at|auf|par|por|su) )?${TO_CALL}`, 'u');
