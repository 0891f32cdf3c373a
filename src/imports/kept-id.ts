import { ownText } from '../reading/own-text.ts';

/** As long as a reference can be. */
const MAX_ID_LENGTH = 64;

/** The id of a home, as it may be kept; null when there is none, or it is longer than any can be. */
export function keptId(cell: string): string | null {
  return cell === '' || cell.length > MAX_ID_LENGTH ? null : ownText(cell);
}
