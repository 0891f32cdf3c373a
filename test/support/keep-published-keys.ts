import { join } from 'node:path';
import { createCopiesInFolder } from '../../src/access/published/published-document.ts';
import { directoryOf } from '../../src/access/signatures/signature-headers.ts';

/** The last good copy of an agent's keys, as a service keeps it. */
export function keepPublishedKeys(
  dataDirectory: string,
  {
    agent,
    keys,
    confirmedAt,
  }: { readonly agent: string; readonly keys: readonly object[]; readonly confirmedAt: number },
): void {
  const copies = createCopiesInFolder({
    folder: join(dataDirectory, 'published'),
    onFault(error) {
      throw error;
    },
  });
  copies.write({ kind: 'keys', url: directoryOf(agent) }, { confirmedAt, text: JSON.stringify({ keys }) });
}
