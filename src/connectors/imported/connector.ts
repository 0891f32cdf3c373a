import { resolve } from 'node:path';
import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { createConnector } from '../connector.ts';
import { CalendarLine, HeaderLine, PropertyLine } from '../shared/plain/plain-line.ts';
import { createImportedBookingSystem } from './imported-booking-system.ts';

const ImportedEntry = Type.Object(
  {
    kind: Type.Literal('imported'),
    file: Type.String({
      minLength: 1,
      description: 'Path of the imported file, relative to the network file.',
    }),
  },
  { additionalProperties: false },
);

/** Homes that were imported from a published file. */
export const importedConnector = createConnector({
  entry: ImportedEntry,
  inventorySource: 'rate_card',
  canStateAllInTotals: false,
  documentation: {
    title: 'Imported homes',
    text: `For homes that were imported into a file of the [plain format](plain-format.md). The file is read again when its time or size has
changed. A stay costs the sum of its nights; the file knows no tax and no fee, so \`all_in_totals\` has to be false.`,
    schemas: { HeaderLine, PropertyLine, CalendarLine },
  },
  read: ({ file }, { directory }) => valid(resolve(directory, file)),
  connect: (path, { context, clock, intake, budget, maxDocumentAgeMs, onLastDocumentUsed }) =>
    createImportedBookingSystem({
      path,
      context,
      clock,
      intake,
      budget,
      maxDocumentAgeMs,
      onLastDocumentUsed,
    }),
});
