/** Text as the filters compare it: lower case, without accents, full-width forms or look-alike letters. Never shown. */
export function foldLookalikes(text: string): string {
  // Most texts are plain ASCII, which has nothing to fold but its case.
  if (!NOT_ASCII.test(text)) return text.toLowerCase().replace(BLANKS, ' ');
  const decomposed = text
    .normalize('NFKD')
    .slice(0, text.length * MAX_GROWTH)
    .toLowerCase();
  const bare = SURROGATE.test(decomposed) ? decomposed.replace(MARKS, '') : decomposed;
  const codes = new Uint16Array(bare.length);
  let length = 0;
  for (let at = 0; at < bare.length; at += 1) {
    const code = FOLDED[bare.charCodeAt(at)] ?? DROPPED;
    if (code !== DROPPED) codes[length++] = code;
  }
  return textOf(codes.subarray(0, length)).replace(BLANKS, ' ');
}

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += MAX_ARGUMENTS) {
    // Spreading would go through an iterator, which is slower than everything else here.
    text += String.fromCharCode.apply(null, codes.subarray(at, at + MAX_ARGUMENTS) as unknown as number[]);
  }
  return text;
}

// One character can decompose into eighteen, which nobody needs in a text of a listing.
const MAX_GROWTH = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII begins with a control character.
const NOT_ASCII = /[^\u0000-\u007f]/;
const BLANKS = /\s{2,}|[^\S ]/g;
const MARKS = /\p{M}+/gu;
const MARK = /\p{M}/u;
const SURROGATE = /[\ud800-\udfff]/;
// What a call takes as arguments without a risk for the stack.
const MAX_ARGUMENTS = 4096;

/** Pairs: a letter or sign, and what it looks like. */
const LOOKALIKES =
  "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwвbнhкkмmтtαaοoιiνvρpτtυuκkεeηnμmβbχxγyɡgıiłløođdæaꞵbℓl。.․.‧.・.’'‘'`'´'‐-‑-–-—-−-";
/** Zeroes of the digits that Unicode does not decompose: Arabic, Persian, Devanagari, Bengali. */
const ZEROES = [0x0660, 0x06f0, 0x0966, 0x09e6];

const DROPPED = 0;
const FOLDED = Uint16Array.from({ length: 0x10000 }, (_, code) =>
  MARK.test(String.fromCharCode(code)) ? DROPPED : code,
);
for (let at = 0; at < LOOKALIKES.length; at += 2) {
  FOLDED[LOOKALIKES.charCodeAt(at)] = LOOKALIKES.charCodeAt(at + 1);
}
for (const zero of ZEROES) {
  for (let digit = 0; digit < 10; digit += 1) FOLDED[zero + digit] = '0'.charCodeAt(0) + digit;
}
