/** A cell is a view of a piece of the file, which would stay in memory for as long as the cell is kept: this one stands by itself. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** As long as a reference can be. */
const MAX_ID_LENGTH = 64;

/** The id of a home, as it may be kept; null when there is none, or it is longer than any can be. */
export function keptId(cell: string): string | null {
  return cell === '' || cell.length > MAX_ID_LENGTH ? null : ownText(cell);
}
