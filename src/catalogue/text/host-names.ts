import { kindOfEnding } from './domain-endings.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

/**
 * Whether a text names a host, judged by what stands around each dot. `text` is what would be shown, because capitals tell the
 * beginning of a sentence from an ending; `folded` is the same without disguises.
 */
export function carriesHostName(text: string, folded: string): boolean {
  return (folded.includes('.') && carriesDottedHost(text, folded)) || carriesHostWithAnotherSign(folded);
}

function carriesDottedHost(text: string, folded: string): boolean {
  return (
    someHost(text, (host) => isHost(host, host.ending === host.ending.toLowerCase())) ||
    (NOT_ASCII.test(text) && someHost(folded, (host) => isHost(host, false))) ||
    (folded.includes(' .') && TORN_HOST.test(folded))
  );
}

/** "evil•com" */
function carriesHostWithAnotherSign(folded: string): boolean {
  return ANOTHER_SIGN.test(folded) && COMMON_ENDING.test(folded) && DOTTED_OTHERWISE.test(folded);
}

/** The same in the path of an address, where words with dots between them are files and functions. */
export function carriesHostNameInPath(said: string, folded: string): boolean {
  return (
    someHost(folded, ({ ending, label }) => hasPlainEnding(ending, label)) ||
    WORD_ENDING_IN_PATH.test(said) ||
    WORD_ENDING_WITH_PATH.test(folded)
  );
}

type DottedPair = {
  /** The last letters before the dot. */
  readonly label: string;
  readonly ending: string;
  readonly after: string;
};

const NOT_ASCII = /[^ -~\n]/;
const DOT_AND_ENDING = /(?<=[\p{L}\p{N}])[.．․﹒]([\p{L}\p{N}\p{M}]{2,24})(?!-?[\p{L}\p{N}\p{M}])/gu;
const LABEL = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}-]+$/u;
/** Enough to tell a word from an abbreviation. */
const LABEL_LOOKED_AT = 16;
const AFTER_LOOKED_AT = 40;

function someHost(text: string, judge: (pair: DottedPair) => boolean): boolean {
  for (const { 0: found, 1: ending = '', index } of text.matchAll(DOT_AND_ENDING)) {
    const label = LABEL.exec(text.slice(Math.max(0, index - LABEL_LOOKED_AT), index))?.[0] ?? '';
    const end = index + found.length;
    if (judge({ label, ending, after: text.slice(end, end + AFTER_LOOKED_AT) })) return true;
  }
  return false;
}

const PATH = /^(?::\d{2,5})?\/[\p{L}\p{N}]/u;
const SMALL_PATH = /^\/[a-z\d]/;
const QUERY = /^\/?\?[\w-]{1,30}=/;
const PORT = /^:\d{4,5}(?![\d:])/;
const SMALL_LATIN = /^[a-z]+$/;
const SMALL_LATIN_LABEL = /^[a-z0-9-]{5,}$/;
/** "45 sq.mt/480 sq.ft", "8min.to the station" */
const UNIT = /^(?:sq|\d+min)$/i;
const HYPHEN_OR_DIGIT = /[-\d]/;
const GOES_ON_AS_PROSE = /^ ?[,;:]? [\p{L}\p{N}]/u;
/** "paysan.ne.s": what stands between two dots ends nothing. */
const GOES_ON_WITH_A_DOT = /^[.．․﹒][\p{L}\p{N}]/u;
const MIN_LABEL = 4;
/** "priv.garden", "anniv.sale": longer than what people abbreviate to. */
const MIN_LABEL_BEFORE_PROSE = 6;

/** `isSmall` says that the ending is written in small letters. */
function isHost({ label, ending, after }: DottedPair, isSmall: boolean): boolean {
  const folded = foldLookalikes(ending);
  const kind = kindOfEnding(folded);
  if (hasPlainEnding(folded, label)) return true;
  if (UNIT.test(label)) return false;
  if (QUERY.test(after)) return true;
  const isMarked = HYPHEN_OR_DIGIT.test(label);
  if (PATH.test(after)) {
    // An ending that nobody knows yet.
    if (kind === undefined) return isSmall && SMALL_LATIN.test(ending) && SMALL_LATIN_LABEL.test(label);
    // "P.za/Corso" is a square; "kitchen.Living/dining room" forgets a blank.
    const isLink = label.length > 1 || (isSmall && SMALL_PATH.test(after));
    if (ending.length === 2 ? isLink : kind !== 'prose' || isSmall || isMarked) return true;
  }
  if (kind === undefined || kind === 'country') return false;
  if (PORT.test(after) && ending.length > 2 && label.length >= MIN_LABEL) return true;
  if (!isSmall || label.length < MIN_LABEL || GOES_ON_WITH_A_DOT.test(after)) return false;
  return (
    kind === 'word' || isMarked || (label.length >= MIN_LABEL_BEFORE_PROSE && !GOES_ON_AS_PROSE.test(after))
  );
}

function hasPlainEnding(folded: string, label: string): boolean {
  const kind = kindOfEnding(folded);
  return kind === 'plain' || (kind === 'country' && label.length > 1 && /\p{L}/u.test(label));
}

/** Endings that people know, after a blank: also when the fields of a listing are read one after the other. */
const TORN_HOST =
  /(?<=[\p{L}\p{N}]) \. ?(?:c ?o ?m|n ?e ?t|o ?r ?g|i ?n ?f ?o)(?![\p{L}\p{N}])|(?<=[\p{L}\p{N}]) \.(?:vip|xyz|icu|biz|app|online|site|shop|club)(?![\p{L}\p{N}])/u;

/** "apartamento T2,com vista": the ending is also a word for "with", and what follows tells. */
const AFTER_COM = [
  'o|a|os|as|um|uma|vistas?|piscina|acesso|muit[oa]s?|mais|varanda|terraco|jardim|cozinha|quartos?|wi-?fi|ar|garagem',
  'estacionamento|cama|sofa|tod[oa]s?|tudo|excelentes?|otim[oa]|bo[am]|grandes?|lind[oa]|capacidade|dois|duas|tres',
  'elevador|churrasqueira|decoracao|tv|internet|maquina|luz|sol|espaco|patio|sala|lareira|aquecimento|seguranca|conforto|\\d',
].join('|');
const ANOTHER_SIGN = /[·•∙⋅●|*_~,]/;
const COMMON_ENDING = /com|net|org|info/;
const DOTTED_OTHERWISE = new RegExp(
  [
    `(?<=[a-z0-9]{2})(?: ?[·•∙⋅●|*_~] ?|,)com(?![\\p{L}\\p{N}-])(?! (?:${AFTER_COM}))`,
    '(?<=[a-z0-9]{2})[·•∙⋅●|*_~,](?:net|org|info)(?![\\p{L}\\p{N}-])(?! \\p{L})',
  ].join('|'),
  'u',
);

const WORDS_IN_PATH =
  'it|in|is|me|to|at|be|us|de|es|se|no|fi|ca|ar|house|homes|holiday|rent|page|link|live|top|tv|web|click';
const WORD_ENDING_IN_PATH = new RegExp(
  `(?<=[\\p{L}\\p{N}-]{4})\\.(?:${WORDS_IN_PATH})(?![\\p{L}\\p{N}-])`,
  'u',
);
const WORD_ENDING_WITH_PATH = new RegExp(
  `(?:(?<=[\\p{L}\\p{N}])\\.(?:${WORDS_IN_PATH})(?::\\d{2,5})?|(?<=\\/[a-z])\\.[a-z]{2})\\/[\\p{L}\\p{N}]`,
  'u',
);
