import { foldLookalikes } from './fold-lookalikes.ts';

/**
 * Whether a text names a host, judged by the characters around each dot. `text` is the text to show, because capitals distinguish the start of
 * a sentence from an ending; `folded` is the same without disguises.
 */
export function carriesHostName(text: string, folded: string): boolean {
  return (
    folded.includes('.') &&
    (someHost(text, (host) => isHost(host, host.ending === host.ending.toLowerCase())) ||
      (NOT_ASCII.test(text) && someHost(folded, (host) => isHost(host, false))))
  );
}

/** The same in the path of an address, where words joined by dots are files and functions. */
export function carriesHostNameInPath(folded: string): boolean {
  return someHost(folded, ({ ending, label }) => hasPlainEnding(ending, label));
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
/** Long enough to distinguish a word from an abbreviation. */
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
const WORD_ENDING = /^(?!(?:html?|pdf|jpe?g|png)$)\p{Ll}{3,}$/u;
/** "45 sq.mt/480 sq.ft", "8min.to the station" */
const UNIT = /^(?:sq|\d+min)$/i;
/** "seaside-lisbon", "villa24-lisbon"; "wi-fi" is shorter. */
const MARKED_LABEL = /^(?=.*[-\d]).{8,}$/;
/** Goes on as prose, or with another dot: "paysan.ne.s". */
const GOES_ON = /^(?: ?[,;:]? [\p{L}\p{N}]|[.．․﹒][\p{L}\p{N}])/u;
const MIN_LABEL = 4;
const MIN_LABEL_BEFORE_WORD = 6;

/** `isSmall`: the ending is in lower case. */
function isHost({ label, ending, after }: DottedPair, isSmall: boolean): boolean {
  const folded = foldLookalikes(ending);
  if (hasPlainEnding(folded, label)) return true;
  if (UNIT.test(label)) return false;
  if (QUERY.test(after)) return true;
  if (PATH.test(after)) {
    // "P.za/Corso" is a square; "kitchen.Living/dining room" lacks a blank.
    if (!isSmall) return MARKED_LABEL.test(label) && ending === ending.toUpperCase();
    return label.length > MIN_LABEL || (ending.length === 2 && SMALL_PATH.test(after));
  }
  if (PORT.test(after) && ending.length > 2 && label.length >= MIN_LABEL) return true;
  // Any other ending: "by the sea.sleeps four" lacks a blank, so prose must not follow.
  if (!isSmall || !WORD_ENDING.test(ending)) return false;
  return MARKED_LABEL.test(label) || (label.length >= MIN_LABEL_BEFORE_WORD && !GOES_ON.test(after));
}

function hasPlainEnding(folded: string, label: string): boolean {
  if (PLAIN_ENDINGS.has(folded)) return true;
  return COUNTRY_ENDINGS.has(folded) && label.length > 1 && /\p{L}/u.test(label);
}

/** Endings that are never a word or an abbreviation in a listing. */
const PLAIN_ENDINGS = endings(`
  com net org biz edu gov io co app dev ai xyz eu ly gg cc info site online shop store website travel rentals villas
  apartments club pt fr nl cz jp cn tw hk au nz mx cl tr ie ch uk ru vip icu sbs cfd mobi immo guru cyou fyi wtf lol
  рф рус укр бел 中国 中國 한국
`);

/** Countries whose letters abbreviate something after a single letter or a number: "P.za", "24.hr". */
const COUNTRY_ENDINGS = endings(`
  pl dk kr za br gr hr ae af aq aw ax bf bg bh bj bn bs bt bw bz cf cg ck cw cx cy dz ec ee eg fj fk gb gd gh gi gl gn
  gp gq gt gu gw gy hn ht hu iq jm jo ke kg kh kn kp kw kz lb lc lk lr ls lu lv mk mp mq mv mw mz nc nf ng np pf pg ph
  pk pn pw qa ro rw sb sd sg sj sk sl sn sr sv sx sz tf tg th tj tk tl tm tn tt tz ua ug uy uz vc vg vn vu wf ws zm zw
`);

function endings(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(foldLookalikes));
}
