/** What a spreadsheet takes for a formula when it opens the file, also after blanks and in full width. */
const FORMULA = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;
/** Where another separator than the comma would begin a cell with a formula: in half of the world spreadsheets part at semicolons, and then quotes do not hold. */
const FORMULA_AFTER_SEPARATOR = /([;,|\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A text as a cell of a CSV file (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe. */
export function csvCell(text: string): string {
  const parted = text.replace(FORMULA_AFTER_SEPARATOR, "$1'");
  const harmless = FORMULA.test(parted) ? `'${parted}` : parted;
  return /[",;\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
