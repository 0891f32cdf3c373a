import { CONCEPTS, type Concept, entriesOf } from './concept-words.ts';

const CONCEPT_NAMES = Object.keys(CONCEPTS) as Concept[];
export const CONCEPT_COUNT = CONCEPT_NAMES.length;

/** Scanning uses numbers for concepts, because every search scans labels. */
export function idOfConcept(concept: Concept): number {
  return CONCEPT_NAMES.indexOf(concept);
}

/** Called for each concept in a text, in order; returning true ends the scan. */
export type ConceptFound = (concept: number, position: number) => boolean;

type Node = {
  /** Most nodes have a single next character, which is compared without a lookup. */
  onlyCode: number;
  onlyNext: Node | undefined;
  /** Where several characters can follow. */
  next: Map<number, Node> | undefined;
  /** Concepts of words that end here. */
  whole: readonly number[];
  /** Concepts of words that may continue from here. */
  begun: readonly number[];
};

const SEPARATOR = 0;
/** Letters and digits of scripts that put blanks between words. */
const SPACED = 1;
/** Han and kana, without blanks: a word may begin at every character. */
const UNSPACED = 2;
/** Hangul letters: nothing marks where a suffix begins. */
const HANGUL = 3;

const UNSPACED_WORDS_PER_CHARACTER = 1 / 3;
const SPACE = 0x20;
// Longer than real words: read as several words without blanks.
const MIN_RUN_TOGETHER = 16;
const MIN_WORD_WITHIN = 5;
const SENTENCE_END = /[.!?;\n。！？।؟]/;
const ARABIC_PREFIX = /^(?:[وفبلك]?(?:ال|لل)|[وفبلك])/;

const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code));
const NO_CODE = -1;
const MANY_CODES = -2;
const NO_CONCEPTS: readonly number[] = [];

const root = newNode();
for (const concept of CONCEPT_NAMES) {
  for (const entry of entriesOf(concept)) insert(entry, idOfConcept(concept));
}

/**
 * Scans folded text once. Positions count words; the end of a sentence counts as two more, and a character of a script without blanks as
 * a third of a word.
 */
export function scanConcepts(text: string, found: ConceptFound): boolean {
  let position = 0;
  let before = SEPARATOR;
  for (let at = 0; at < text.length; at += 1) {
    const kind = KINDS[text.charCodeAt(at)] ?? SEPARATOR;
    if (kind === SEPARATOR) {
      if (before !== SEPARATOR && SENTENCE_END.test(text.charAt(at))) position += 2;
    } else if (kind === UNSPACED || kind === HANGUL) {
      if (kind === UNSPACED) position += UNSPACED_WORDS_PER_CHARACTER;
      else if (before !== HANGUL) position += 1;
      if (matchAt(text, at, position, found)) return true;
    } else if (before !== SPACED) {
      position += 1;
      if (matchAt(text, at, position, found)) return true;
      const prefix = prefixLength(text, at);
      for (let skipped = 1; skipped <= prefix; skipped += 1) {
        if (matchAt(text, at + skipped, position, found)) return true;
      }
      const end = wordEnd(text, at);
      if (end - at >= MIN_RUN_TOGETHER) {
        for (let within = at; within < end; within += 1) {
          const matched = matchWithin(text, within, end, position, found);
          if (matched < 0) return true;
          position += matched;
        }
      }
      at = end - 1;
    }
    before = kind;
  }
  return false;
}

function matchAt(text: string, start: number, position: number, found: ConceptFound): boolean {
  let node: Node | undefined = root;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code];
    if (kind === SEPARATOR) {
      node = nextOf(node, SPACE);
      while (at < text.length && KINDS[text.charCodeAt(at)] === SEPARATOR) at += 1;
    } else {
      node = nextOf(node, code);
      at += 1;
    }
    if (!node) return false;
    for (const concept of node.begun) if (found(concept, position)) return true;
    if (node.whole.length > 0 && (at >= text.length || KINDS[text.charCodeAt(at)] !== kind)) {
      for (const concept of node.whole) if (found(concept, position)) return true;
    }
  }
  return false;
}

/** The number of words found at a position within a run of letters; -1 ends the scan. */
function matchWithin(
  text: string,
  start: number,
  end: number,
  position: number,
  found: ConceptFound,
): number {
  let node: Node | undefined = root;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    node = nextOf(node, code) ?? nextOf(nextOf(node, SPACE), code);
    if (!node) return 0;
    if (at - start + 1 < MIN_WORD_WITHIN) continue;
    const concepts = [...node.whole, ...node.begun];
    for (const concept of concepts) if (found(concept, position)) return -1;
    if (concepts.length > 0) return 1;
  }
  return 0;
}

function nextOf(node: Node | undefined, code: number): Node | undefined {
  return node?.onlyCode === code ? node.onlyNext : node?.next?.get(code);
}

function prefixLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x0620 || code > 0x06ff) return 0;
  return ARABIC_PREFIX.exec(text.slice(at, at + 3))?.[0].length ?? 0;
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && KINDS[text.charCodeAt(end)] === SPACED) end += 1;
  return end;
}

function kindOf(code: number): number {
  if (code < 0x80) {
    const isWord =
      (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
    return isWord ? SPACED : SEPARATOR;
  }
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return SEPARATOR;
  if (code < 0x600) return SPACED;
  if (code <= 0x61f) return SEPARATOR;
  if (code === 0x6d4 || code === 0x964 || code === 0x965) return SEPARATOR;
  if (code >= 0x1100 && code <= 0x11ff) return HANGUL;
  if (code < 0x2000) return SPACED;
  if (code <= 0x303f) return SEPARATOR;
  if (code <= 0x30ff) return code === 0x30fb ? SEPARATOR : UNSPACED;
  if (code >= 0x3400 && code <= 0x9fff) return UNSPACED;
  if (code >= 0xf900 && code <= 0xfaff) return UNSPACED;
  return code >= 0xfe30 && code <= 0xff0f ? SEPARATOR : SPACED;
}

function insert(entry: string, concept: number): void {
  const isStem = entry.endsWith('*');
  const word = isStem ? entry.slice(0, -1) : entry;
  let node = root;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    node = nextOf(node, code) ?? addNext(node, code);
  }
  const last = kindOf(word.charCodeAt(word.length - 1));
  if (isStem || last !== SPACED) node.begun = [...node.begun, concept];
  else node.whole = [...node.whole, concept];
}

function addNext(node: Node, code: number): Node {
  const added = newNode();
  if (node.onlyCode === NO_CODE) {
    node.onlyCode = code;
    node.onlyNext = added;
  } else {
    node.next ??= new Map([[node.onlyCode, node.onlyNext as Node]]);
    node.next.set(code, added);
    node.onlyCode = MANY_CODES;
  }
  return added;
}

function newNode(): Node {
  return {
    onlyCode: NO_CODE,
    onlyNext: undefined,
    next: undefined,
    whole: NO_CONCEPTS,
    begun: NO_CONCEPTS,
  };
}
