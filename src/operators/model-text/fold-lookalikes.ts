/** Text as the filters compare it: lower case, without accents, full-width forms or look-alike letters. Never shown. */
export function foldLookalikes(text: string): string {
  // Most texts are plain ASCII, which has nothing to fold but its case.
  if (!NOT_ASCII.test(text)) return text.toLowerCase().replace(BLANKS, ' ');
  const bare = text
    .normalize('NFKD')
    .slice(0, text.length * MAX_GROWTH)
    .replace(MARKS, '')
    .toLowerCase();
  let folded = '';
  for (let at = 0; at < bare.length; at += 1) {
    const code = bare.charCodeAt(at);
    folded += code < FIRST_FOLDED ? bare[at] : (FOLDED.get(code) ?? bare[at]);
  }
  return folded.replace(BLANKS, ' ');
}

// One character can decompose into eighteen, which nobody needs in a text of a listing.
const MAX_GROWTH = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII begins with a control character.
const NOT_ASCII = /[^\u0000-\u007f]/;
const BLANKS = /\s{2,}|[^\S ]/g;
const MARKS = /\p{M}+/gu;
const FIRST_FOLDED = 0x60;

/** Pairs: a letter or sign, and what it looks like. */
const LOOKALIKES =
  "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwвbнhкkмmтtαaοoιiνvρpτtυuκkεeηnμmβbχxγyɡgıiłløođdæaꞵbℓl。.․.‧.・.’'‘'`'´'‐-‑-–-—-−-";
/** Zeroes of the digits that Unicode does not decompose: Arabic, Persian, Devanagari, Bengali. */
const ZEROES = [0x0660, 0x06f0, 0x0966, 0x09e6];

const FOLDED: ReadonlyMap<number, string> = new Map([
  ...Array.from({ length: LOOKALIKES.length / 2 }, (_, pair): [number, string] => [
    LOOKALIKES.charCodeAt(2 * pair),
    LOOKALIKES.charAt(2 * pair + 1),
  ]),
  ...ZEROES.flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit): [number, string] => [zero + digit, String(digit)]),
  ),
]);
