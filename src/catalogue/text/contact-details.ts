import { foldLookalikes } from './fold-lookalikes.ts';
import { carriesHostName, carriesHostNameInPath } from './host-names.ts';

/** A folded group for patterns: words and signs that mark the following digits as a phone number or an account. */
const WORD_FOR_A_NUMBER_TO_CALL = foldLookalikes(
  '(?:tel|telefon|telefone|whats ?app|whatsap|wapp|viber|telegram|wechat|kontakt|contact|contacto|contato|contatto|contacter|telefono|telephone|phone|mobile|mobil|cell|cellulare|movil|telemovel|call|ring|text|sms|fax|llama|ligue|appelez|ruf|rufen|chiama|bel|zadzwon|тел|телефон|звоните|电话|致电|電話|هاتف|جوال|전화|telefon|फोन|konto|kontonummer|account|acct|cuenta|conta|compte|rekening|rachunek|счет|карту|карта|账号|账户|口座番号|口座|حساب|계좌|hesap|खाता|upi|pix|bizum|iban|card|carte|tarjeta|karte|โทร|ໂທ|ফোন|ફોન|ఫోన్|ಫೋನ್|ဖုန်း|τηλ|טלפון|☎|📞)',
);

/**
 * Finds ways to contact or pay outside the operator's own page. `text` is the text to show, `folded` the same folded. Every pattern is
 * anchored at a character that is rare in prose, so that the time is linear and short.
 */
export function carriesAddress(text: string, folded: string): boolean {
  return carriesWrittenAddress(folded) || carriesHostName(text, folded);
}

/** In the path or query of an operator's own address. */
export function carriesAddressInPath(said: string, folded: string): boolean {
  return carriesWrittenAddress(folded) || (folded.includes('.') && carriesHostNameInPath(said, folded));
}

function carriesWrittenAddress(folded: string): boolean {
  return (
    (folded.includes('@') && MAIL_OR_HANDLE.test(folded)) ||
    (folded.includes(':') && SCHEME.test(folded)) ||
    (folded.includes('.') && WRITTEN_HOST.test(folded)) ||
    SPELLED_ADDRESS.test(folded)
  );
}

export function carriesNumberToCallOrPay(text: string, folded: string): boolean {
  if (carriesSpokenDigits(folded) || CRYPTO_ADDRESS.test(text)) return true;
  if (!SIX_DIGITS.test(folded)) return false;
  return carriesPhoneNumber(folded) || carriesBankAccount(text);
}

/** A number that a word, a sign or its checksum marks as a phone number or an account. */
export function carriesMarkedNumber(text: string, folded: string): boolean {
  if (carriesSpokenDigits(folded)) return true;
  if (!SIX_DIGITS.test(folded)) return false;
  return isMarked(withoutHarmlessNumbers(folded)) || carriesBankAccount(text);
}

/** "nine one two …" */
export function carriesSpokenDigits(folded: string): boolean {
  return SPOKEN_DIGITS.test(folded);
}

export function carriesEncodedText(text: string): boolean {
  return ESCAPES.test(text) || (text.match(BASE64) ?? []).some(isMixed);
}

/** Endings that count in an address with blanks. */
const KNOWN_ENDINGS =
  'com|net|org|biz|edu|gov|io|co|app|dev|ai|xyz|eu|info|site|online|shop|store|travel|rentals|villas|pt|fr|nl|pl|cz|dk|gr|hr|ie|ch|uk|ru|it|me|at|be|us|de|es|se|no|fi|ca|house|homes|holiday|rent|vip';
const SCHEME =
  /(?<![a-z])[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![a-z])(?:mailto|javascript|vbscript|sms|whatsapp|tel|telegram|instagram|wechat|viber|skype|facebook) ?:|(?<![a-z])data:[a-z]{1,20}\//;
/**
 * "Loft @Downtown" and "sofa bed @living room" name a location. A word after the at sign is a handle if one of these words precedes it, or
 * if it is joined like only handles and hosts are: "@downtown_lofts".
 */
const BEFORE_A_HANDLE = foldLookalikes(
  'instagram|insta|ig|telegram|tiktok|twitter|facebook|fb|messenger|snapchat|youtube|wechat|weibo|vk|dm|follow|contact us|folgt|suivez|siguenos|siga|seguici|volg|подписывайтесь|инстаграм|телеграм',
);
const MAIL_OR_HANDLE = new RegExp(
  [
    '(?<=[\\p{L}\\p{N}])@[\\p{L}\\p{N}-]{1,63}\\.[\\p{L}\\p{N}]',
    `(?<=[\\p{L}\\p{N}] ?)@ ?[\\p{L}\\p{N}-]{1,63} ?\\. ?(?:${KNOWN_ENDINGS})(?![\\p{L}\\p{N}])`,
    '(?<![\\p{L}\\p{N}])@[a-z][a-z0-9]*[_.][a-z0-9_]',
    `(?<=(?<!\\p{L})(?:${BEFORE_A_HANDLE})(?!\\p{L})[^@\\n]{0,8})@[a-z][a-z0-9]{2}`,
  ].join('|'),
  'u',
);
const WRITTEN_HOST = new RegExp(
  [
    '(?<![a-z0-9])\\/\\/[a-z0-9-]{1,63}\\.',
    '(?<![a-z])www ?\\. ?[a-z0-9]',
    '(?<![a-z])t\\.me(?![a-z])',
    '(?<=\\d)\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}(?::\\d|\\/)',
    '(?<![a-z])xn--[a-z0-9]',
  ].join('|'),
  'u',
);

const DOT_IN_WORDS = foldLookalikes('(?:dot|punto|ponto|point|punkt|kropka|nokta|punt|точка|tochka|ドット)');
const AT_IN_WORDS = foldLookalikes('(?:at|arroba|chiocciola|arobase|klammeraffe|malpa|собака)');
const COM_GOES_ON = 'vista|vistas|o|a|os|as|um|uma|piscina|acesso|muito|mais';
const SPELLED_ADDRESS = new RegExp(
  [
    `[([{] ?(?:${AT_IN_WORDS}|@) ?[)\\]}]`,
    `[([{] ?(?:${DOT_IN_WORDS}|\\.) ?[)\\]}]`,
    // "um ponto com vista" is a viewpoint: there, a word after "com" indicates prose.
    `(?<!\\p{L})${DOT_IN_WORDS} (?:com(?! (?:${COM_GOES_ON}))|net|org|info|pt|fr|nl|pl|ru|eu)(?![\\p{L}\\p{N}])`,
    // "un point de vue", "at this point it is": these endings are words, so nothing may follow them.
    `(?<!\\p{L})${DOT_IN_WORDS} (?:io|es|de|it|co)(?! ?[\\p{L}\\p{N}])`,
    '点 ?(?:com|net|org|cn)(?![\\p{L}\\p{N}])',
    '(?<!\\p{L})(?:arroba|chiocciola|arobase|klammeraffe) [\\p{L}\\p{N}]',
  ].join('|'),
  'u',
);

const SIX_DIGITS = /(?:\d\D{0,4}){5}\d/;
const SPOKEN_DIGITS = /(?:\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b[ ,.-]{0,3}){6}/;
const DATES_AND_TIMES = new RegExp(
  [
    '(?<![\\d+])20\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)',
    '(?<!\\d|\\d\\/)(?:[12]\\d{3}[./-](?:0?[1-9]|1[0-2])[./-]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-](?:1[349]|2[05])\\d{2})(?!\\d)',
    // With another pair before or after it, a date could be a part of "06.12.34.56.78".
    '(?<!\\d|\\d[./])\\d{1,2}([./])\\d{1,2}\\1\\d{2}(?!\\d|\\1\\d)',
    '(?<!\\d|\\d[./-])\\d{1,2}-\\d{1,2}-\\d{2}(?!\\d|-\\d)',
    '(?<!\\d)\\d{1,2} ?[:h] ?\\d{2}(?!\\d)',
    '(?<!\\d)[12]\\d{3} ?- ?[12]\\d{3}(?!\\d)',
  ].join('|'),
  'g',
);
const AMOUNTS =
  /(?<![\d+])\d{1,3}(?:[. ]\d{3}){1,2}(?:,\d{2})?(?= ?(?:€|\$|£|₽|eur|usd|zl|tl|euro|руб|kc|kr|円|元|원))|(?<!\d)\d+,\d{2}(?!\d)|(?<!\d|\d\.)\d+\.\d{2}(?!\d|\.\d)/g;
/**
 * Characters between the digits of a phone number: all except those that join amounts, sizes, shares, positions and list entries.
 */
const SIGN = '[[\\p{P}\\p{S}]--[\\p{Sc},;+×÷%#&°\\/]]';
// Commas only between digits, otherwise a list of bus lines would match. The alternatives start differently, so the time is linear.
const LABELLED_NUMBER = new RegExp(
  `(?<!\\p{L})${WORD_FOR_A_NUMBER_TO_CALL}(?![a-z])[^\\d\\n]{0,12}(?:\\d(?:,(?=\\d)|[ \\/${SIGN}]{0,3})){6}`,
  'v',
);
const INTERNATIONAL = new RegExp(
  `(?:\\+|(?<![\\p{L}\\p{N}\\/])00(?= ?\\(?[1-9])) ?\\(?\\d(?:[ \\/${SIGN}]{0,4}\\d){7}`,
  'v',
);
/** "0171/1234567" */
const AREA_CODE = /(?<![\p{L}\p{N}/.,-])0\d{2,4} ?\/ ?\d(?:[ .-]?\d){4,8}(?![\p{L}\p{N}/])/gu;
const LONG_RUN = /(?<![\p{L}\p{N}/])\(?\d(?:[ ().-]{0,2}\d){8,18}(?![\p{L}\p{N}])/gu;
const RUN_WITH_SIGNS = new RegExp(
  `(?<![\\p{L}\\p{N}\\/_])\\(?\\d(?:[ ${SIGN}]{0,4}\\d){8,18}(?![\\p{L}\\p{N}])`,
  'gv',
);
const WORDS_FOR_A_REGISTRATION = foldLookalikes(
  'regist|licen|enregistrement|steuernummer|реестр|登记|届出|등록|تسجيل|पंजीकरण',
);
const REGISTRATION = new RegExp(
  `(?:${WORDS_FOR_A_REGISTRATION}|(?<!\\p{L})(?:ci[nr]|[nc]if|vat)(?!\\p{L}))[^\\n]{0,24}$`,
  'u',
);
/** Used for any number, so it excuses only one without groups, unlike "my number: 912 345 678". */
const WORD_FOR_A_NUMBER = /(?<!\p{L})(?:numero|number|nummer|nr|no|ref|id)(?!\p{L})[^\n]{0,24}$/u;

function carriesPhoneNumber(folded: string): boolean {
  const rest = withoutHarmlessNumbers(folded);
  return (
    isMarked(rest) ||
    hasRun(rest, LONG_RUN, (run) => !isThousands(run) && !isOneDigitRepeated(run)) ||
    hasRun(rest, RUN_WITH_SIGNS, isDialledWithSigns) ||
    hasRun(rest, AREA_CODE, () => true)
  );
}

function withoutHarmlessNumbers(folded: string): string {
  return withoutOfficialNumbers(folded).replace(DATES_AND_TIMES, ' , ').replace(AMOUNTS, ' , ');
}

function isMarked(rest: string): boolean {
  return INTERNATIONAL.test(rest) || LABELLED_NUMBER.test(rest);
}

function hasRun(text: string, runs: RegExp, isNumberToCall: (run: string) => boolean): boolean {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const before = text.slice(Math.max(0, index - 40), index);
    const isRegistration =
      REGISTRATION.test(before) || (ONE_GROUP.test(run) && WORD_FOR_A_NUMBER.test(before));
    if (!isRegistration && isNumberToCall(run)) return true;
  }
  return false;
}

const ONE_GROUP = /^\d+$/;
const YEAR = /^(?:19|20)\d{2}$/;

/** "912·345·678", but not a list of years, rooms or distances, and not two prices with a character between them. */
function isDialledWithSigns(run: string): boolean {
  const groups = run.match(/\d+/g) ?? [];
  const longest = Math.max(...groups.map(({ length }) => length));
  const isList =
    groups.every((group) => YEAR.test(group)) ||
    groups.every((group) => group.endsWith('0')) ||
    groups.every((group, at) => at === 0 || Number(group) === Number(groups[at - 1]) + 1);
  if (isList || isOneDigitRepeated(run)) return false;
  const isTight = !run.includes(' ');
  if (groups.length > 2) return longest <= (isTight ? 6 : 4);
  return isTight && groups.every((group) => group.length >= 3 && !group.endsWith('00'));
}

/** "5 · 5 · 5 · 5 · 5" decorates a name. */
function isOneDigitRepeated(run: string): boolean {
  return /^(\d)(?:\D+\1)*$/.test(run);
}

/** "1 250 000" is an amount. */
function isThousands(run: string): boolean {
  return /^\d{1,3}(?:[ .]\d{3}){2,3}$/.test(run) && !run.startsWith('0') && /0{3}$/.test(run);
}

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;

function carriesBankAccount(text: string): boolean {
  return /\biban\b/i.test(text) || (text.toUpperCase().match(IBAN) ?? []).some(hasIbanChecksum);
}

/** ISO 13616: the digits of the number, rearranged, leave 1 when divided by 97. */
export function hasIbanChecksum(candidate: string): boolean {
  const plain = candidate.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let remainder = 0;
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const CRYPTO_ADDRESS = /\bbc1[a-z0-9]{25,60}\b|\b0x[0-9a-fA-F]{40}\b|\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\b/;
const ESCAPES = /(?:%[0-9a-f]{2}){4}|(?:\\x[0-9a-f]{2}){3}|(?:\\u\{?[0-9a-f]{4}\}?){3}|(?:[01]{8} ?){4}/i;
const BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}/g;
const CHANGES_OF_CASE = /[a-z][A-Z]|[A-Z][a-z]|\d[A-Za-z]/g;

/** Words have few capitals inside them, and registration numbers no small letters. */
function isMixed(token: string): boolean {
  return (token.match(CHANGES_OF_CASE)?.length ?? 0) >= token.length / 4;
}

/**
 * Removes registrations, licences and tax numbers, which hosts must print by law. Only numbers in the format of an authority, directly
 * after its word, count, and none that the text marks as a phone number.
 */
function withoutOfficialNumbers(folded: string): string {
  return folded.replace(OFFICIAL_NUMBER, (number: string, at: number) => {
    const end = at + number.length;
    const isToCall =
      CALLED_BEFORE.test(folded.slice(Math.max(0, at - MAX_LOOKED_AROUND), at)) ||
      CALLED_AFTER.test(folded.slice(end, end + MAX_LOOKED_AROUND));
    return isToCall ? number : ' , ';
  });
}

type OfficialNumber = {
  /** Alternatives as hosts write them, as a pattern. */
  readonly words: string;
  /** Must not match the zeros of an international number or a phone number of the country. */
  readonly form: string;
};

const OFFICIAL_NUMBERS: readonly OfficialNumber[] = [
  // Greece: the register of short stays pads with zeros; tax numbers are a digit shorter than phone numbers.
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
  // Australia: an ABN that reads as 61 and a national phone number counts as a phone number.
  { words: 'abn', form: '(?!61 ?[23478])[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}' },
  { words: 'acn', form: '[016]\\d{2} ?\\d{3} ?\\d{3}' },
  // New Zealand and the United States
  { words: 'nzbn', form: '9429\\d{9}' },
  { words: 'ein', form: '\\d{2}-\\d{7}' },
];

/** No phone number has these formats, so they need no word before them. */
const UNMISTAKABLE = [
  // Hamburg: the number of a home is padded with zeros.
  '[1-9]\\d-00\\d{5}-\\d{2}(?:-\\d)?',
  // Hawaii: a tax account; after 808 it would read as a phone number of the islands.
  '(?:ta|ge)[ -](?!808)\\d{3}-\\d{3}-\\d{4}-\\d{2}',
  // Switzerland
  'che-\\d{3}\\.\\d{3}\\.\\d{3}',
];

const BETWEEN = ' ?(?:-?(?:n ?°|no|nr|num|numero|number|nummer|#)\\.?)? ?[:=-]? ?';
// Every part is bounded, so the time is linear. None is captured, so the position is the second argument of a replacer.
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
