import { paragraph } from './table.ts';
import type { Terminal } from './terminal.ts';

/** An operator can name any number of hosts and cities. */
const MAX_SHOWN = 20;

/** What somebody may want to decide differently, a paragraph each. The lines after its first are to be pasted, and stay whole. */
export function warningLines(
  warnings: readonly string[],
  { styled }: Pick<Terminal, 'styled'>,
): readonly string[] {
  const shown = warnings.slice(0, MAX_SHOWN).map((warning) => {
    const [text = '', ...options] = warning.split('\n');
    return [paragraph(`${styled('warning', '!')} ${text}`, '  '), ...options].join('\n    ');
  });
  const more = warnings.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}
