/** The form of a text for the filters: lower case, without accents, full-width forms or look-alike letters. Never shown. */
export function foldLookalikes(text: string): string {
  // Most texts are plain ASCII, where only the case is folded.
  if (!NOT_ASCII.test(text)) return text.toLowerCase().replace(BLANKS, ' ');
  const decomposed = text.replace(LIGATURES, ' ').normalize('NFKD').toLowerCase();
  const bare = decomposed.replace(BEYOND_THE_TABLE, (sign) =>
    MARK.test(sign) ? '' : String(digitOf(sign.codePointAt(0) ?? 0)),
  );
  const codes = new Uint16Array(bare.length);
  let length = 0;
  for (let at = 0; at < bare.length; at += 1) {
    const code = FOLDED[bare.charCodeAt(at)] ?? DROPPED;
    if (code !== DROPPED) codes[length++] = code;
  }
  return Buffer.from(codes.buffer, 0, length * 2)
    .toString('utf16le')
    .replace(BLANKS, ' ');
}

/** The digits of a script are consecutive, so the number of digits before one is its value. */
function digitOf(code: number): number {
  return DIGIT.test(String.fromCodePoint(code - 1)) ? (digitOf(code - 1) + 1) % 10 : 0;
}

// Characters that are whole words of up to eighteen letters. No other decomposes into more than seven.
const LIGATURES = /[\ufdf0-\ufdfc]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII begins with a control character.
const NOT_ASCII = /[^\u0000-\u007f]/;
const BLANKS = /\s{2,}|[^\S ]/g;
const MARK = /\p{M}/u;
const DIGIT = /\p{Nd}/u;
const BEYOND_THE_TABLE = /[[\p{M}\p{Nd}]--[\0-\uffff]]/gv;

/** Pairs: a character and the one that it looks like. */
const LOOKALIKES =
  "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwвbнhкkмmтtαaοoιiνvρpτtυuκkεeηnμmβbχxγyɡgıiłløođdæaꞵbℓl。.․.‧.・.⸱.⸳.ꞏ.᛫.∶:꞉:ː:˸:։:׃:’'‘'`'´'‐-‑-–-—-−-";
const DROPPED = 0;
const ZERO = 0x30;
const FOLDED = Uint16Array.from({ length: 0x10000 }, (_, code) => code);
// One search through all characters is ten times faster than a test of each.
for (const { 0: sign, index: code } of Buffer.from(FOLDED.buffer)
  .toString('utf16le')
  .matchAll(/[\p{M}\p{Nd}]/gu)) {
  FOLDED[code] = DIGIT.test(sign) ? ZERO + digitOf(code) : DROPPED;
}
for (let at = 0; at < LOOKALIKES.length; at += 2) {
  FOLDED[LOOKALIKES.charCodeAt(at)] = LOOKALIKES.charCodeAt(at + 1);
}
