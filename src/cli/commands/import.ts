import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ImportFailure } from '../../imports/import-failure.ts';
import { importInsideAirbnb } from '../../imports/import-inside-airbnb.ts';
import { importPlain } from '../../imports/import-plain.ts';
import { describeImportFault, type ImportFault } from '../../imports/import-report.ts';
import type { ImportSummary } from '../../imports/import-summary.ts';
import { HELD_BACK_RULES } from '../../quotes/held-back-rules.ts';
import { shownText } from '../../quotes/held-back-value.ts';
import { isTimeZone } from '../../stay/time-zone.ts';
import { titleOf } from '../brand-title.ts';
import { chooseWebsite, citiesNotPlaced, notRegistered } from '../choose-hosts.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { counted } from '../counted.ts';
import type { FoundHost } from '../discover-listings.ts';
import {
  type BrandInFile,
  type NetworkDocument,
  type PlaceInFile,
  readNetworkDocument,
  withBrand,
  writeNetworkDocument,
} from '../edit-network-file.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { cityPlaces, unknownTimeZone } from '../place-cities.ts';
import { paragraph } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { hostsBefore, placesBefore, stayUrlBefore, withWebsite } from '../website-in-file.ts';
import { openWorkspace, type WorkspaceOptions } from '../workspace.ts';

export type ImportCommandOptions = WorkspaceOptions & {
  readonly brand: string;
  readonly name?: string;
  readonly currency?: string;
  readonly city?: string;
  readonly timeZone?: string;
  readonly place?: readonly string[];
  readonly host?: readonly string[];
};

const MS_PER_DAY = 86_400_000;
const FOLDER = 'imports';
const MAX_FAULTS_SHOWN = 20;

/** The published files of a city become a brand to try: its dates moved to today, its prices those of the nights alone. */
export async function importCity(
  [listings, calendar]: readonly [string, string],
  options: ImportCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const timeZone = await timeZoneFor(options, tools);
  return importInto(options, tools, async ({ output, finish }) => {
    const bar = tools.terminal.progress('Reading');
    const { suggestion, ...summary } = await explained(() =>
      importInsideAirbnb({
        listings: resolve(tools.directory, listings),
        calendar: resolve(tools.directory, calendar),
        output,
        today: Math.floor(tools.clock.now() / MS_PER_DAY),
        timeZone,
        clock: tools.clock,
        signal: tools.signal,
        onProgress: ({ bytesRead, totalBytes }) => bar.update(bytesRead, totalBytes),
        ...(options.currency === undefined ? {} : { currency: options.currency }),
        ...(options.city === undefined ? {} : { city: options.city }),
      }),
    );
    bar.end(readText(summary, CITY_UNITS));
    const { place, brand, currency_from } = suggestion;
    const warnings =
      currency_from === 'price_sign'
        ? [
            `The currency is taken from the sign of the prices (${place.currency}); these files may write $ for any. Give --currency.`,
          ]
        : [];
    return finish({
      brand,
      places: [{ ...place, time_zone: timeZone }],
      summary,
      units: CITY_UNITS,
      warnings,
    });
  });
}

/** A file in the plain format becomes a brand. */
export async function importFile(
  input: string,
  options: ImportCommandOptions,
  tools: CliTools,
  /** The command line, to be repeated with what it lacks. */
  words: readonly string[],
): Promise<CommandResult> {
  return importInto(options, tools, async ({ document, before, output, finish }) => {
    const bar = tools.terminal.progress('Reading');
    const { found, ...summary } = await explained(() =>
      importPlain({
        input: resolve(tools.directory, input),
        output,
        clock: tools.clock,
        signal: tools.signal,
        onProgress: ({ bytesRead, totalBytes }) => bar.update(bytesRead, totalBytes),
      }),
    );
    bar.end(readText(summary, PLAIN_UNITS));
    const currency = found.currencies[0] ?? null;
    const cities = new Map(found.places.map((city) => [city, { listings: null, currency }]));
    const mapped = placesBefore(before);
    const { places, aliases, leftOut } = await cityPlaces(
      cities,
      document.places,
      options,
      tools.terminal,
      mapped,
    );
    // A file says where its pages are just as an operator does.
    const website = await chooseWebsite(
      { listings: summary.properties, pages: summary.properties, hosts: found.hosts },
      {
        hosts: hostsBefore(before),
        stayUrl: stayUrlBefore(before),
        givenHosts: options.host,
        givenStayUrl: undefined,
      },
      'The file',
      { terminal: tools.terminal, words, leftOut },
    );
    // Nothing of the file could be on offer, and nobody was asked.
    if (!tools.terminal.canAsk && cities.size > 0 && leftOut.length === cities.size) {
      throw citiesNotPlaced(leftOut, words);
    }
    const allPlaces = { ...mapped, ...aliases };
    const brand = {
      all_in_totals: false,
      website: withWebsite({ source: options.brand, website: before?.website }, website).website,
      ...(Object.keys(allPlaces).length > 0 ? { places: allPlaces } : {}),
    };
    const warnings = [
      ...leftOut.map(
        (city) =>
          `${shownText(city)} is not on the network, and left out. Add it with --time-zone ZONE, or say which place it is with --place "${shownText(city)}=PLACE".`,
      ),
      ...website.unregistered.map(notRegistered),
    ];
    const hosts = { found: found.hosts, registered: website.hosts };
    return finish({ brand, places, summary, units: PLAIN_UNITS, warnings, hosts });
  });
}

type ImportedBrand = {
  readonly brand: Readonly<Record<string, unknown>>;
  readonly places: readonly PlaceInFile[];
  readonly summary: ImportSummary;
  readonly units: ImportUnits;
  readonly warnings: readonly string[];
  /** Where somebody had to choose. */
  readonly hosts?: { readonly found: readonly FoundHost[]; readonly registered: readonly string[] };
};

/** What the entries of calendars are, and what is held back. */
type ImportUnits = { readonly calendar: 'night' | 'period'; readonly line: 'row' | 'line' };
const CITY_UNITS: ImportUnits = { calendar: 'night', line: 'row' };
const PLAIN_UNITS: ImportUnits = { calendar: 'period', line: 'line' };

/** The file of the brand takes its place, and its entry is written, once everything is known; until then there is neither. */
async function importInto(
  options: ImportCommandOptions,
  tools: CliTools,
  work: (run: {
    readonly document: NetworkDocument;
    /** The entry that the brand has already. */
    readonly before: BrandInFile | undefined;
    readonly output: string;
    readonly finish: (imported: ImportedBrand) => CommandResult;
  }) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (!/^[a-z0-9-]{1,64}$/.test(options.brand)) {
    throw new UsageFault(
      [`--brand ${shownText(options.brand)} cannot be the name of a brand.`],
      'use lower-case letters, digits and hyphens',
    );
  }
  const { networkFile } = openWorkspace(tools, options).settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === options.brand);
  const folder = join(dirname(networkFile), FOLDER);
  const target = join(folder, `${options.brand}.jsonl`);
  const output = `${target}.${randomUUID()}.part`;
  mkdirSync(folder, { recursive: true });
  try {
    return await work({ document, before, output, finish });
  } finally {
    rmSync(output, { force: true });
    removeEmpty(folder);
  }

  function finish({ brand, places, summary, units, warnings, hosts }: ImportedBrand): CommandResult {
    tools.signal.throwIfAborted();
    const entry: BrandInFile = {
      ...before,
      source: options.brand,
      ...brand,
      name: options.name ?? before?.name ?? titleOf(options.brand),
      booking_system: { kind: 'imported', file: relative(dirname(networkFile), target) },
    };
    // As it is by now: somebody may have edited it meanwhile.
    const text = withBrand(readNetworkDocument(networkFile), entry, places);
    renameSync(output, target);
    writeNetworkDocument(networkFile, text);
    const heldBackRows = Object.values(summary.heldBackCounts).reduce((sum, count) => sum + (count ?? 0), 0);
    return {
      exit: EXIT.done,
      json: {
        brand: options.brand,
        properties: summary.properties,
        calendars: summary.calendars,
        [`calendar_${units.calendar}s`]: summary.calendarRows,
        milliseconds: summary.milliseconds,
        held_back: summary.heldBack.map((fault) => ({
          ...fault,
          remedy: HELD_BACK_RULES[fault.rule].remedy,
        })),
        held_back_counts: summary.heldBackCounts,
        unmapped_amenities: summary.unmappedAmenities,
        ...(hosts ? { hosts } : {}),
        warnings,
        written: [target, networkFile],
      },
      text: [
        readText(summary, units),
        ...warnings.map((warning) => paragraph(`${tools.terminal.styled('warning', '!')} ${warning}`, '  ')),
        ...faultsText(summary.heldBack, heldBackRows, units, tools.terminal),
        `${summary.unmappedAmenities.length} words for amenities are not in the vocabulary, and are not shown.`,
        `Wrote ${options.brand} into ${relative(tools.directory, networkFile)}. Next: staywire sync ${options.brand}`,
      ].join('\n'),
    };
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds what was imported.
  }
}

async function timeZoneFor({ timeZone }: ImportCommandOptions, { terminal }: CliTools): Promise<string> {
  const zone =
    timeZone ??
    (await terminal.ask({
      message: 'Time zone of the city, such as America/New_York',
      option: '--time-zone',
      faultOf: (text) => (isTimeZone(text) ? undefined : 'That is not a time zone such as America/New_York.'),
    }));
  if (!isTimeZone(zone)) throw unknownTimeZone(zone);
  return zone;
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ImportFailure)
      throw new UsageFault([failure.message], 'nothing was written; mend the file, or name another');
    throw failure;
  }
}

function readText(
  { properties, calendars, calendarRows, milliseconds }: ImportSummary,
  { calendar }: ImportUnits,
): string {
  return `${counted(properties, 'home')} and ${counted(calendars, 'calendar')} with ${counted(calendarRows, calendar)} in ${(milliseconds / 1000).toFixed(1)} s`;
}

function faultsText(
  faults: readonly ImportFault[],
  all: number,
  { line }: ImportUnits,
  { styled }: Terminal,
): readonly string[] {
  if (all === 0) return [`No ${line} was held back.`];
  const shown = faults.slice(0, MAX_FAULTS_SHOWN);
  return [
    `Held back: ${counted(all, line)}`,
    ...shown.flatMap((fault) => [
      `  ${paragraph(describeImportFault(fault), '    ')}`,
      `    ${styled('faint', paragraph(`→ ${HELD_BACK_RULES[fault.rule].remedy}`, '      '))}`,
    ]),
    ...(all > shown.length ? [`  … and ${all - shown.length} more; --json lists the first thousand`] : []),
  ];
}
