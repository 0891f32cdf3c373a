import { foldLookalikes } from './fold-lookalikes.ts';
import { carriesHostName, carriesHostNameInPath } from './host-names.ts';

/** A folded group for patterns: words and signs that mark the following digits as a phone number or an account. */
const WORD_FOR_A_NUMBER_TO_CALL = foldLookalikes(
  '(?:tel|telefon|telefone|whats(?: |-)?app|viber|telegram|wechat|kontakt|contact|contacto|contato|contatto|contacter|telefono|telephone|phone|mobile|mobil|cell|cellulare|movil|telemovel|call|ring|text|sms|fax|llama|ligue|appelez|ruf|rufen|chiama|bel|zadzwon|тел|телефон|звоните|电话|致电|電話|هاتف|جوال|전화|telefon|फोन|konto|kontonummer|account|acct|cuenta|conta|compte|rekening|rachunek|счет|карту|карта|账号|账户|口座番号|口座|حساب|계좌|hesap|खाता|upi|pix|bizum|iban|card|carte|tarjeta|karte|โทร|ໂທ|ফোন|ફોન|ఫోన్|ಫೋನ್|ဖုန်း|τηλ|טלפון|☎|📞)',
);

/**
 * Finds ways to contact or pay outside the operator's own page. `text` is the text to show, `folded` the same folded. Every pattern is
 * anchored at a character that is rare in prose, so that the time is linear and short.
 */
export function carriesAddress(text: string, folded: string): boolean {
  return carriesWrittenAddress(folded) || carriesHostName(text, folded);
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
  return WALLET.test(folded) || carriesMarkedNumber(text, folded) || carriesPhoneNumber(folded);
}

/** A number that a word, a sign or its checksum marks as a phone number or an account. */
export function carriesMarkedNumber(text: string, folded: string): boolean {
  if (SPOKEN_DIGITS.test(folded)) return true;
  if (!SIX_DIGITS.test(folded)) return false;
  const rest = withoutHarmlessNumbers(folded);
  return INTERNATIONAL.test(rest) || LABELLED_NUMBER.test(rest) || carriesBankAccount(text);
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
    '(?<![a-z])(?:t|m|wa)\\.me(?![a-z])',
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
/** Between the digits of a phone number: all characters that do not join amounts, sizes, shares, positions and list entries. */
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
const LONG_RUN = /(?<![\p{L}\p{N}/])\(?\d(?:[ ().-]{0,2}\d){8,18}(?![\p{L}\p{N}])/gu;
const RUN_WITH_SIGNS = new RegExp(
  `(?<![\\p{L}\\p{N}\\/_])\\(?\\d(?:[ ${SIGN}]{0,4}\\d){8,18}(?![\\p{L}\\p{N}])`,
  'gv',
);
/** Hosts must print these numbers by law: registers of short stays, tax and company numbers. */
const WORDS_FOR_A_REGISTRATION = foldLookalikes(
  'regist|licen|enregistrement|déclaration|wohnraumschutz|steuernummer|organisationsnummer|adószám|реестр|登记|届出|등록|تسجيل|पंजीकरण',
);
const SHORT_WORDS_FOR_A_REGISTRATION = foldLookalikes(
  'ci[nr]|[nc]if|vat|ama|ΑΜΑ|ΑΦΜ|tmk|ta|ge|reg|siret|siren|tva|btw|kbo|ust-?id(?:-?nr)?|che|p\\. ?iva|partita iva|oib|nipc?|org\\. ?-?nr|abn|acn|nzbn|ein',
);
const REGISTRATION = new RegExp(
  `(?:${WORDS_FOR_A_REGISTRATION}|(?<!\\p{L})(?:${SHORT_WORDS_FOR_A_REGISTRATION})(?!\\p{L}))[^\\n]{0,24}$`,
  'u',
);
/** The number of a home in Hamburg, padded with zeros, often stands without a word. */
const HOME_IN_HAMBURG = /(?<![\d./-])[1-9]\d-00\d{5}-\d{2}(?:-\d)?(?![\d])/g;
/** Used for any number, so it excuses only one without groups, unlike "my number: 912 345 678". */
const WORD_FOR_A_NUMBER = /(?<!\p{L})(?:numero|number|nummer|nr|no|ref|id)(?!\p{L})[^\n]{0,24}$/u;

function carriesPhoneNumber(folded: string): boolean {
  const rest = withoutHarmlessNumbers(folded);
  return (
    hasRun(rest, LONG_RUN, (run) => !isThousands(run)) || hasRun(rest, RUN_WITH_SIGNS, isDialledWithSigns)
  );
}

function withoutHarmlessNumbers(folded: string): string {
  return folded.replace(DATES_AND_TIMES, ' , ').replace(AMOUNTS, ' , ').replace(HOME_IN_HAMBURG, ' , ');
}

function hasRun(text: string, runs: RegExp, isNumberToCall: (run: string) => boolean): boolean {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const before = text.slice(Math.max(0, index - 40), index);
    const isRegistration =
      REGISTRATION.test(before) || (ONE_GROUP.test(run) && WORD_FOR_A_NUMBER.test(before));
    if (!isRegistration && !ONE_DIGIT_REPEATED.test(run) && isNumberToCall(run)) return true;
  }
  return false;
}

const ONE_GROUP = /^\d+$/;
/** "5 · 5 · 5 · 5 · 5" decorates a name. */
const ONE_DIGIT_REPEATED = /^(\d)(?:\D+\1)*$/;
const YEAR = /^(?:19|20)\d{2}$/;

/** "912·345·678", but not a list of years, rooms or distances, and not two prices with a character between them. */
function isDialledWithSigns(run: string): boolean {
  const groups = run.match(/\d+/g) ?? [];
  const longest = Math.max(...groups.map(({ length }) => length));
  const isList =
    groups.every((group) => YEAR.test(group)) ||
    groups.every((group) => group.endsWith('0')) ||
    groups.every((group, at) => at === 0 || Number(group) === Number(groups[at - 1]) + 1);
  if (isList) return false;
  const isTight = !run.includes(' ');
  if (groups.length > 2) return longest <= (isTight ? 6 : 4);
  return isTight && groups.every((group) => group.length >= 3 && !group.endsWith('00'));
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
function hasIbanChecksum(candidate: string): boolean {
  const plain = candidate.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let remainder = 0;
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const WALLET = /(?<![a-z0-9])(?:bc1[qp][a-z0-9]{25,60}|0x[0-9a-f]{40})(?![a-z0-9])/;

/*
 * The path and query of an operator's own address. They are full of numbers, so only features that ids lack count: plus or zeros of an
 * international number, a word beside it, the checksum of an account. `said` is the decoded text.
 */
export function carriesOtherSite(said: string, ownHosts: readonly string[]): boolean {
  const rest = withoutHosts(said.replace(LANGUAGE_OF_FILE, ''), ownHosts);
  const folded = foldLookalikes(rest);
  if (carriesWrittenAddress(folded) || REDIRECTION.test(folded)) return true;
  return folded.includes('.') && carriesHostNameInPath(folded);
}

export function carriesContactNumber(said: string): boolean {
  const visible = said.replace(/[\p{Cc}\p{Cf}]/gu, '').replace(UUID, '|');
  const folded = foldLookalikes(visible).replace(DATES_AND_TIMES, '|');
  if (SPOKEN_DIGITS.test(folded) || WALLET.test(folded)) return true;
  if (!SIX_DIGITS.test(folded)) return false;
  const accounts = visible.toUpperCase().match(ACCOUNT_IN_PATH) ?? [];
  return accounts.some(hasIbanChecksum) || NUMBER_IN_PATH.test(folded);
}

/** Hashes have letters between their digits. */
const ACCOUNT_IN_PATH = /(?<![A-Z0-9])[A-Z]{2}\d{2}[A-Z]{0,4}\d{10,26}(?![A-Z0-9])/g;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
/** `/index.pt.html` is a page in Portuguese, not a host. */
const LANGUAGE_OF_FILE = /\.[a-z]{2}(?=\.(?:html?|php|aspx?|jsp|jpe?g|png|webp|gif|avif|svg)(?![\w.]))/gi;
/** After these, hosts with any ending count, not only common ones. */
const REDIRECTION =
  /[?&;](?:next|to|url|uri|redirect|return|returnto|goto|dest|target|link|site|host|domain)=(?:[a-z]{2,10}:)?(?:\/\/)?(?:[a-z0-9-]{1,63}\.){1,8}(?!(?:html?|php|aspx?|json|pdf|jpe?g|png|webp|svg)(?:[/?&:;]|$))[a-z]{2,24}(?:[/?&:;]|$)/;

function withoutHosts(said: string, hosts: readonly string[]): string {
  return hosts.reduce((rest, host) => {
    const name = new RegExp(`(?<![\\w.@-])${host.replace(/[.[\]]/g, '\\$&')}(?![\\w.:-])`, 'gi');
    return rest.includes(host) ? rest.replace(name, '') : rest;
  }, said);
}

// `/mobile/48213377` is a page for phones, so there a word must be joined to its number.
const WORD_IN_PATH = `(?:${WORD_FOR_A_NUMBER_TO_CALL}(?=[-_=: ])|tel|phone|telefon[eo]?|whats[-_ ]?app|viber|iban|电话)`;
const FILLERS = '(?:[-_ =:/.]?(?:us|me|now|is|at|on|to|the|owner|host|number|no|nr)(?!\\p{L}))*';
const NUMBER_IN_PATH = new RegExp(
  [
    '(?:\\+|(?<![a-z])plus) ?\\(?\\d(?:[ ()._/-]{0,2}\\d){6,}',
    // Without slashes, because two digits often name a folder. Ids padded with two zeros are shorter.
    '(?<![\\p{L}\\p{N}])00[ ()_-]{0,2}[1-9](?:[ ()_-]{0,2}\\d){8,14}(?![\\p{L}\\p{N}])',
    // Three groups, as phone numbers are written.
    '(?<![\\p{L}\\p{N}])\\(?\\d{2,4}\\)?([-._~:= ])\\d{3,4}\\1\\d{3,4}(?![\\p{L}\\p{N}])',
    `(?<![a-z])${WORD_IN_PATH}(?![a-z])${FILLERS}[^\\p{L}\\d|]{0,3}\\d(?:[ ()._/-]{0,2}\\d){6,}`,
  ].join('|'),
  'u',
);
