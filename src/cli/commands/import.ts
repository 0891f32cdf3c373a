import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { REJECTION_RULES } from '../../catalogue/rejections/rejection-rules.ts';
import { whileLocked } from '../../parsing/file-lock.ts';
import { removeLeftBehind } from '../../parsing/replace-file.ts';
import {
  assertEntryOptions,
  namesOfCities,
  notOnTheNetwork,
  notRegistered,
  placedCities,
  unregisteredHosts,
  websiteOf,
} from '../brand-entry.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { nextStepFor, UsageFault } from '../faults.ts';
import { describeImportFault, type ImportFault, importPlain, type PlainImport } from '../import-plain.ts';
import {
  assertBrandName,
  type BrandInFile,
  changeNetworkFile,
  placesBefore,
  readNetworkDocument,
  titleOf,
  websiteBefore,
  withBrand,
  withPlaces,
  withWebsite,
} from '../network-file.ts';
import { counted, paragraph, type Terminal, warningLines } from '../terminal.ts';
import { openWorkspace, type WorkspaceOptions } from '../workspace.ts';

export type ImportCommandOptions = WorkspaceOptions & {
  readonly brand: string;
  readonly name?: string;
  readonly place?: readonly string[];
  readonly host?: readonly string[];
};

/** Turns a file in the plain format into a brand. Writes the file and the entry of the brand only after everything was decided. */
export async function importFile(
  input: string,
  options: ImportCommandOptions,
  tools: CliTools,
  /** The command line, to print it again with the missing options. */
  words: readonly string[],
): Promise<CommandResult> {
  assertBrandName(options.brand, '--brand');
  assertEntryOptions(options);
  const { settings } = openWorkspace(tools, options);
  const { networkFile } = settings;
  const { terminal, signal } = tools;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === options.brand);
  const target = join(dirname(networkFile), 'imports', `${options.brand}.jsonl`);
  const output = `${target}.${randomUUID()}.part`;
  mkdirSync(dirname(target), { recursive: true });
  return await whileLocked(target, tools, async () => {
    // The lock is held, so any partial file was left by a killed process.
    removeLeftBehind(target);
    try {
      return await importUnderLock();
    } finally {
      rmSync(output, { force: true });
    }
  });

  async function importUnderLock(): Promise<CommandResult> {
    const bar = terminal.progress('Reading');
    const found = await importPlain({
      input: resolve(tools.directory, input),
      output,
      onProgress: (bytesRead, totalBytes) => bar.update(bytesRead, totalBytes),
      signal,
    });
    bar.end(importedText(found));
    const names = namesOfCities(document.places, placesBefore(before), options);
    const { aliases, leftOut } = placedCities(found.cities, names);
    const given = { before: websiteBefore(before), host: options.host, stayUrl: undefined };
    // As with an operator, the owner says which hosts are its own.
    const unregistered = unregisteredHosts(
      { listings: found.properties, pages: found.properties, hosts: found.hosts },
      given,
      { title: 'The file', leftOut, words },
    );
    const website = websiteOf(given);
    // No home could be on offer.
    if (leftOut.length > 0 && leftOut.length === found.cities.size)
      throw new UsageFault(notOnTheNetwork(leftOut));
    signal.throwIfAborted();
    const named: BrandInFile = {
      ...before,
      source: options.brand,
      name: options.name ?? before?.name ?? titleOf(options.brand),
      all_in_totals: false,
      booking_system: { kind: 'imported', file: relative(dirname(networkFile), target) },
    };
    const entry = withPlaces(withWebsite(named, website), aliases);
    const isChanged = await changeNetworkFile(networkFile, tools, (current) => {
      const text = withBrand(current, entry);
      renameSync(output, target);
      return text;
    });
    const warnings = [...notOnTheNetwork(leftOut), ...unregistered.map(notRegistered)];
    const isServing = tools.isServing(settings);
    return {
      exit: EXIT.done,
      json: {
        brand: options.brand,
        properties: found.properties,
        calendar_lines: found.calendarLines,
        calendar_periods: found.calendarPeriods,
        held_back: found.rejections.map((fault) => ({
          ...fault,
          remedy: REJECTION_RULES[fault.rule].remedy,
        })),
        held_back_counts: found.rejectionCounts,
        hosts: { found: found.hosts, registered: website.hosts },
        warnings,
        written: [target, networkFile],
      },
      text: [
        importedText(found),
        ...warningLines(warnings, terminal),
        ...rejectionLines(found, terminal),
        paragraph(`Travellers are sent to pages on ${listOf(website.hosts)}, and see pictures from there.`),
        isServing && !isChanged
          ? paragraph(
              `Wrote ${relative(tools.directory, target)}. A service that was started with ${options.brand} reads it again by itself.`,
            )
          : `Wrote ${options.brand} into ${relative(tools.directory, networkFile)}. Next: ${nextStepFor(options.brand, isServing)}`,
      ].join('\n'),
    };
  }
}

function listOf(hosts: readonly string[]): string {
  return hosts.length > 0 ? new Intl.ListFormat('en').format(hosts) : 'no host';
}

/** `421 homes and 421 calendar lines with 15,665 periods` */
function importedText({ properties, calendarLines, calendarPeriods }: PlainImport): string {
  return `${counted(properties, 'home')} and ${counted(calendarLines, 'calendar line')} with ${counted(calendarPeriods, 'period')}`;
}

const MAX_FAULTS_SHOWN = 20;

/** Rejected lines with remedies. */
function rejectionLines(
  { rejections, rejectionCounts }: PlainImport,
  { styled }: Pick<Terminal, 'styled'>,
): readonly string[] {
  const all = Object.values(rejectionCounts).reduce((sum, count) => sum + (count ?? 0), 0);
  const shown = rejections.slice(0, MAX_FAULTS_SHOWN);
  const faultLines = (fault: ImportFault) => [
    `  ${paragraph(describeImportFault(fault), '    ')}`,
    `    ${styled('faint', paragraph(`→ ${REJECTION_RULES[fault.rule].remedy}`, '      '))}`,
  ];
  return [
    all === 0 ? 'No line was held back.' : `Held back: ${counted(all, 'line')}`,
    ...shown.flatMap(faultLines),
    ...(all > shown.length ? [`  … and ${all - shown.length} more; --json lists the first thousand`] : []),
  ];
}
