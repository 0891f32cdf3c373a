import { carriesAddressInPath, carriesSpokenDigits, hasIbanChecksum } from './contact-details.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

/**
 * Finds contacts and payment details in the path and query of an operator's own address. Addresses are full of numbers, so only features
 * that ids lack count: plus or zeros of an international number, a word beside it, the groups of a phone number, the checksum of an
 * account. `said` is the decoded text.
 */
export function carriesOtherSite(said: string, ownHosts: readonly string[]): boolean {
  const rest = withoutHosts(said.replace(LANGUAGE_OF_FILE, ''), ownHosts);
  const folded = foldLookalikes(rest);
  return carriesAddressInPath(rest, folded) || REDIRECTION.test(folded) || SPELLED_HOST.test(folded);
}

export function carriesContactNumber(said: string): boolean {
  const visible = said.replace(INVISIBLE, '').replace(UUID, '|');
  const folded = foldLookalikes(visible);
  if (carriesSpokenDigits(folded)) return true;
  if (!SEVEN_DIGITS.test(folded)) return false;
  if (WALLET.test(visible) || carriesAccount(visible.toUpperCase())) return true;
  if (SIGNED.test(folded) || WITH_ZEROS.test(folded)) return true;
  const rest = folded.replace(DATES, '|');
  return BESIDE_A_WORD.test(rest) || (rest.match(GROUPS) ?? []).some(isDialled);
}

const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;

/** `/index.pt.html` is a page in Portuguese, not a host. */
const LANGUAGE_OF_FILE = /\.[a-z]{2}(?=\.(?:html?|php|aspx?|jsp|jpe?g|png|webp|gif|avif|svg)(?![\w.]))/gi;
const FILE_ENDING =
  'html?|php|aspx?|jsp|cgi|do|json|xml|pdf|jpe?g|png|webp|gif|avif|heic|svg|tiff?|bmp|mp4|webm';
/** After these, hosts with any ending count, not only common ones. */
const REDIRECTION = new RegExp(
  `[?&;](?:next|to|url|uri|u|redirect|return|returnto|goto|go|dest|destination|target|link|site|host|domain|out)=(?:[a-z]{2,10}:)?(?:\\/\\/)?(?:[a-z0-9-]{1,63}\\.){1,8}(?!(?:${FILE_ENDING})(?:[/?&:;]|$))[a-z]{2,24}(?:[/?&:;]|$)`,
);
const SPELLED_HOST = /(?<!\p{L})(?:dot|punto|ponto|point|punkt)[-_](?:com|net|org)(?![-_]?[\p{L}\p{N}])/u;

function withoutHosts(said: string, hosts: readonly string[]): string {
  return hosts.reduce((rest, host) => {
    const name = new RegExp(`(?<![\\w.@-])${host.replace(/[.[\]]/g, '\\$&')}(?![\\w.:-])`, 'gi');
    return rest.includes(host) ? rest.replace(name, '') : rest;
  }, said);
}

const SEVEN_DIGITS = /(?:\d\D*){7}/;
const BETWEEN = '[ ()._/-]{0,2}';
const SIGNED = new RegExp(`(?:\\+|(?<![a-z])plus) ?\\(?\\d(?:${BETWEEN}\\d){6,}`);
// Without slashes, because two digits often name a folder. Ids padded with two zeros are shorter.
const WITH_ZEROS = /(?<![\p{L}\p{N}])00[ ()_-]{0,2}[1-9](?:[ ()_-]{0,2}\d){8,14}(?![\p{L}\p{N}])/u;

const CONTACT_WORDS = [
  'tel|telef|telefon|telefone|telefono|telephone|phone|fone|handy|movil|telemovel|cellulare|call|sms|fax',
  'contact|contacto|contato|contatto|kontakt|ring|signal|whats[-_ ]?app|viber|telegram|wechat|llama|llame|ligue|appelez|chiama|zadzwon|rufen',
  'тел|телефон|звоните|电话|致电|電話|هاتف|جوال|전화|फोन',
  'iban|swift|konto|kontonummer|cuenta|conta|rekening|rachunek|paypal|bizum|mbway|revolut|venmo',
  'bank[-_ ]?(?:account|transfer|details|wire)|wire[-_ ]?transfer|account[-_ ]?(?:number|no|nr)',
].join('|');
// `/mobile/48213377` is a page for phones.
const WORDS_FOR_PAGES_TOO = '(?:mobile|cell|pay|account)(?=[-_=: ])';
const FILLERS =
  '(?:[-_ =:/.]?(?:us|me|now|is|at|on|to|the|owner|host|number|numero|nummer|no|nr|num|here|it)(?!\\p{L}))*';
const BESIDE_A_WORD = new RegExp(
  `(?<![a-z])(?:${foldLookalikes(CONTACT_WORDS)}|${WORDS_FOR_PAGES_TOO})(?![a-z])${FILLERS}[^\\p{L}\\d|]{0,3}\\d(?:${BETWEEN}\\d){6,}`,
  'u',
);

const YEAR = '(?:19|20)\\d{2}';
const TIME = '(?:[-_ t.]?(?:at[-_ ])?\\d{2}[-_.:h]?\\d{2}(?:[-_.:]?\\d{2}(?:[-_.]?\\d{1,6})?)?z?)?';
const DATES = new RegExp(
  `(?<!\\d)(?:${YEAR}([-_./]?)(?:0?[1-9]|1[0-2])\\1(?:0[1-9]|[12]\\d|3[01]|[1-9])${TIME}|\\d{1,2}([-_./])\\d{1,2}\\2${YEAR})(?!\\d)`,
  'g',
);
const GROUPS = /(?<![\p{L}\p{N}])\d{1,4}(?:[ ._()~:;=!-]{1,2}\d{1,4}){2,}(?![\p{L}\p{N}])/gu;
const MIN_DIALLED_DIGITS = 9;
const MAX_DIALLED_DIGITS = 15;

function isDialled(group: string): boolean {
  const digits = group.replace(/\D/g, '').length;
  return digits >= MIN_DIALLED_DIGITS && digits <= MAX_DIALLED_DIGITS;
}

const WALLET = /(?<![a-z0-9])(?:bc1[qp][a-z0-9]{25,60}|0x[0-9a-f]{40})(?![a-z0-9])/i;
const ACCOUNT = /(?<![A-Z0-9])[A-Z]{2}\d{2}[A-Z0-9]{11,30}(?![A-Z0-9])/g;
const ACCOUNT_IN_GROUPS =
  /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ ._-][A-Z0-9]{4}){2,7}(?:[ ._-][A-Z0-9]{1,3})?(?![A-Z0-9])/g;
/** Account numbers have many digits and at most one run of letters, unlike hashes. */
const LETTERS_APART = /[A-Z]\d+[A-Z]/;
const TWELVE_DIGITS = /(?:\d[A-Z]*){12}/;

function carriesAccount(upper: string): boolean {
  const grouped = (upper.match(ACCOUNT_IN_GROUPS) ?? []).flatMap((groups) => [
    groups,
    groups.replace(/[ ._-][A-Z0-9]{1,4}$/, ''),
  ]);
  return [...(upper.match(ACCOUNT) ?? []), ...grouped]
    .map((candidate) => candidate.replace(/[ ._-]/g, ''))
    .some(
      (candidate) =>
        !LETTERS_APART.test(candidate.slice(4)) &&
        TWELVE_DIGITS.test(candidate) &&
        hasIbanChecksum(candidate),
    );
}
