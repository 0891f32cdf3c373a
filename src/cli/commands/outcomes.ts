import { basename, resolve } from 'node:path';
import {
  type BookingLineFault,
  type ImportedOutcomes,
  importOutcomes,
  readBookingsFile,
} from '../../analytics/bookings/import-outcomes.ts';
import { fileBytes } from '../../connectors/shared/plain/plain-file.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { MAX_FILE_BYTES, unreadable } from '../import-plain.ts';
import { counted, paragraph } from '../terminal.ts';
import { chosenBrands, openWorkspace, readWorkspaceNetwork, type WorkspaceOptions } from '../workspace.ts';

export type ImportOutcomesOptions = WorkspaceOptions & { readonly brand: string };

const MAX_FAULTS_SHOWN = 20;

/** Imports the bookings that an operator reports as a CSV file. */
export async function importBookings(
  input: string,
  options: ImportOutcomesOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const { brand } = options;
  const workspace = openWorkspace(tools, options);
  chosenBrands(readWorkspaceNetwork(tools, workspace, []), brand);
  const path = resolve(tools.directory, input);
  const now = tools.clock.now();
  const stores = await tools.openOwnerStore(workspace.settings);
  try {
    const { chunks } = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal: tools.signal });
    const lines = readBookingsFile(chunks, { brand, now, file: basename(path) });
    const summary = await importOutcomes(lines, { ...stores, now }).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    return {
      exit: summary.faultyLines > 0 ? EXIT.faults : EXIT.done,
      json: {
        brand,
        bookings: summary.bookings,
        new_bookings: summary.newBookings,
        with_quote: summary.withQuote,
        quotes_of_other_brands: summary.quotesOfOthers,
        unknown_quotes: summary.unknownQuotes,
        faulty_lines: summary.faultyLines,
        faults: summary.faults,
      },
      text: [importedText(brand, summary), ...faultLines(summary, tools)].join('\n'),
    };
  } finally {
    await stores.close();
  }
}

function importedText(
  brand: string,
  { bookings, newBookings, withQuote, quotesOfOthers, unknownQuotes }: ImportedOutcomes,
): string {
  const sentences = [
    `${brand}: ${counted(bookings, 'booking')}, ${newBookings.toLocaleString('en')} of them new; ${withQuote.toLocaleString('en')} followed a quote of this brand.`,
  ];
  if (quotesOfOthers > 0) {
    sentences.push(`Named with a quote of another brand: ${counted(quotesOfOthers, 'booking')}.`);
  }
  if (unknownQuotes > 0) {
    sentences.push(
      `Named with a quote that is not, or no longer, known: ${counted(unknownQuotes, 'booking')}.`,
    );
  }
  return paragraph(sentences.join(' '));
}

function faultLines(
  { faultyLines, faults }: ImportedOutcomes,
  { terminal: { styled } }: Pick<CliTools, 'terminal'>,
): readonly string[] {
  if (faultyLines === 0) return [];
  const shown = faults.slice(0, MAX_FAULTS_SHOWN);
  const more = faults.length - shown.length;
  return [
    paragraph(
      `Left out: ${counted(faultyLines, 'line')}. Mend what is wrong, and import the file again: what is known is not counted twice.`,
    ),
    ...shown.flatMap((fault) => [
      `  ${paragraph(describeFault(fault), '    ')}`,
      `    ${styled('faint', paragraph(`→ ${fault.remedy}`, '      '))}`,
    ]),
    ...(more > 0 ? [`  … and ${more} more; --json lists the first thousand`] : []),
  ];
}

function describeFault({ line, column, reason, value }: BookingLineFault): string {
  const subject = column === null ? 'the line' : column;
  return `line ${line}: ${subject} ${reason}${value === null ? '' : `: ${value}`}`;
}
