import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { REJECTION_RULES } from '../../catalogue/rejections/rejection-rules.ts';
import { numberOfUnmapped } from '../../connectors/shared/listings/amenities.ts';
import { whileLocked } from '../../parsing/file-lock.ts';
import { removeLeftBehind } from '../../parsing/replace-file.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { assertHosts, chooseWebsite, citiesNotPlaced, notRegistered } from '../choose-website.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { nextStepFor } from '../faults.ts';
import { importInsideAirbnb } from '../import/import-inside-airbnb.ts';
import {
  describeImportFault,
  explained,
  type FoundInFile,
  type ImportFault,
  type ImportSummary,
} from '../import/import-job.ts';
import { importPlain } from '../import/import-plain.ts';
import { isPublishedHost, STAY_PARAMETERS_OF_PAGES } from '../import/inside-airbnb/listings.ts';
import { agreed, assertCurrency, cityOfFile, placeIdOf, timeZoneFor } from '../import/inside-airbnb/table.ts';
import {
  assertBrandName,
  type BrandInFile,
  changeNetworkFile,
  hostsBefore,
  type NetworkDocument,
  type PlaceInFile,
  placesBefore,
  readNetworkDocument,
  stayUrlBefore,
  titleOf,
  withBrand,
  withPlaces,
  withWebsite,
} from '../network-file.ts';
import { assertPlaceOptions, cityPlaces, notOnTheNetwork, type PlacedCities } from '../place-cities.ts';
import { counted, paragraph, type Terminal, warningLines } from '../terminal.ts';
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

const FOLDER = 'imports';
const CITY_UNITS: ImportUnits = { calendar: 'night', line: 'row' };
const PLAIN_UNITS: ImportUnits = { calendar: 'period', line: 'line' };

/** The network file and the brand before an import, and the file that it writes. */
type ImportRun = {
  readonly document: NetworkDocument;
  /** The brand's current entry. */
  readonly before: BrandInFile | undefined;
  readonly output: string;
};

type ImportedHomes = Pick<PlacedCities, 'places' | 'aliases' | 'leftOut'> & {
  readonly summary: ImportSummary;
  readonly found: FoundInFile;
  readonly units: ImportUnits;
  readonly website?: BrandInFile['website'];
  /** Whether a host needs no question, because all published files use it. */
  readonly isKnownHost?: (host: string) => boolean;
  readonly warnings?: readonly string[];
};

/** Turns the published files of a city into a brand for trials: its dates are moved to today, and its prices are those of the nights alone. */
export async function importCity(
  files: readonly [string, string],
  options: ImportCommandOptions,
  tools: CliTools,
  /** The command line, to print it again with the missing options. */
  words: readonly string[],
): Promise<CommandResult> {
  const [listings, calendar] = [resolve(tools.directory, files[0]), resolve(tools.directory, files[1])];
  const name = options.city ?? cityOfFile(listings);
  assertCurrency(options.currency);
  return importInto(options, tools, words, async ({ document, before, output }) => {
    const known = document.places.find(({ id }) => id === placeIdOf(name));
    const zone = await timeZoneFor(listings, known, options.timeZone, tools);
    const given = agreed('--currency', options.currency, known, 'currency');
    const { city, found, ...summary } = await readWithBar(CITY_UNITS, tools, (progress) =>
      importInsideAirbnb({
        listings,
        calendar,
        output,
        today: todayIn(zone.name, tools.clock.now()),
        clock: tools.clock,
        city: name,
        ...(given === undefined ? {} : { currency: given }),
        ...progress,
      }),
    );
    const { id, currency } = city;
    const place: PlaceInFile = { id, name, kind: 'city', time_zone: zone.name, currency };
    return {
      summary,
      found,
      units: CITY_UNITS,
      places: [place],
      aliases: {},
      leftOut: [],
      website: before?.website ?? { stay_parameters: STAY_PARAMETERS_OF_PAGES },
      isKnownHost: isPublishedHost,
      warnings: [
        ...(given === undefined
          ? [
              `The currency is taken from the sign of the prices (${currency}); these files may write $ for any. If it is another, mend it at ${id} in the network file, and import again.`,
            ]
          : []),
        ...(zone.isGuess
          ? [
              `The time zone is taken from the longitude (${zone.name}), and may be some hours off. Mend it at ${id} in the network file: a name such as America/New_York.`,
            ]
          : []),
      ],
    };
  });
}

/** Turns a file in the plain format into a brand. */
export async function importFile(
  input: string,
  options: ImportCommandOptions,
  tools: CliTools,
  /** The command line, to print it again with the missing options. */
  words: readonly string[],
): Promise<CommandResult> {
  return importInto(options, tools, words, async ({ document, before, output }) => {
    const { found, ...summary } = await readWithBar(PLAIN_UNITS, tools, (progress) =>
      importPlain({ input: resolve(tools.directory, input), output, clock: tools.clock, ...progress }),
    );
    const { terminal } = tools;
    const placed = await cityPlaces(found.cities, document.places, options, terminal, placesBefore(before));
    return { summary, found, units: PLAIN_UNITS, website: before?.website, ...placed };
  });
}

/** Writes the file and the entry of the brand only after everything was read and decided; a failed import leaves neither. */
async function importInto(
  options: ImportCommandOptions,
  tools: CliTools,
  words: readonly string[],
  read: (run: ImportRun) => Promise<ImportedHomes>,
): Promise<CommandResult> {
  assertBrandName(options.brand, '--brand');
  assertHosts(options.host);
  assertPlaceOptions(options);
  const { settings } = openWorkspace(tools, options);
  const { networkFile } = settings;
  const document = readNetworkDocument(networkFile);
  const before = document.brands.find(({ source }) => source === options.brand);
  const folder = join(dirname(networkFile), FOLDER);
  const target = join(folder, `${options.brand}.jsonl`);
  const output = `${target}.${randomUUID()}.part`;
  mkdirSync(folder, { recursive: true });
  try {
    return await whileLocked(target, tools, async () => {
      // The lock is held, so any partial file was left by a killed process.
      removeLeftBehind(target);
      try {
        return await finish(await read({ document, before, output }));
      } finally {
        rmSync(output, { force: true });
      }
    });
  } finally {
    removeEmpty(folder);
  }

  async function finish(homes: ImportedHomes): Promise<CommandResult> {
    const { summary, found, units, places, leftOut } = homes;
    // As with an operator, the owner confirms the hosts that the file names.
    const website = await chooseWebsite(
      { listings: summary.properties, pages: summary.properties, hosts: found.hosts },
      {
        hosts: hostsBefore(before),
        stayUrl: stayUrlBefore(before),
        givenHosts: options.host,
        givenStayUrl: undefined,
        isKnownHost: homes.isKnownHost,
      },
      { title: 'The file' },
      { terminal: tools.terminal, words, leftOut },
    );
    // No home could be on offer, and the owner could not be asked.
    if (!tools.terminal.canAsk && leftOut.length > 0 && leftOut.length === found.cities.size)
      throw citiesNotPlaced(leftOut, words);
    tools.signal.throwIfAborted();
    const named: BrandInFile = {
      ...before,
      source: options.brand,
      name: options.name ?? before?.name ?? titleOf(options.brand),
      all_in_totals: false,
      website: homes.website,
      booking_system: { kind: 'imported', file: relative(dirname(networkFile), target) },
    };
    const entry = withPlaces(withWebsite(named, website), homes.aliases);
    const isChanged = await changeNetworkFile(networkFile, tools, (current) => {
      const text = withBrand(current, entry, places);
      renameSync(output, target);
      return text;
    });
    const warnings = [
      ...(homes.warnings ?? []),
      ...leftOut.map(notOnTheNetwork),
      ...website.unregistered.map(notRegistered),
    ];
    const isServing = tools.isServing(settings);
    return {
      exit: EXIT.done,
      json: {
        brand: options.brand,
        ...importedJson(summary, units),
        hosts: { found: found.hosts, registered: website.hosts },
        warnings,
        written: [target, networkFile],
      },
      text: [
        importedText(summary, units),
        ...warningLines(warnings, tools.terminal),
        ...notImportedLines(summary, units, tools.terminal),
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

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: it holds other imports.
  }
}

function listOf(hosts: readonly string[]): string {
  return hosts.length > 0 ? new Intl.ListFormat('en').format(hosts) : 'no host';
}

type ReadingProgress = Pick<Parameters<typeof importPlain>[0], 'signal' | 'onProgress'>;

async function readWithBar<Read extends ImportSummary>(
  units: ImportUnits,
  { terminal, signal }: CliTools,
  read: (progress: ReadingProgress) => Promise<Read>,
): Promise<Read> {
  const bar = terminal.progress('Reading');
  const onProgress: ReadingProgress['onProgress'] = ({ bytesRead, totalBytes }) =>
    bar.update(bytesRead, totalBytes);
  const summary = await explained(() => read({ signal, onProgress }));
  bar.end(importedText(summary, units));
  return summary;
}

const MAX_FAULTS_SHOWN = 20;

/** The nouns for entries of a calendar and for lines of the file. */
type ImportUnits = { readonly calendar: 'night' | 'period'; readonly line: 'row' | 'line' };

/** `421 homes and 421 calendars with 153,665 nights in 0.7 s` */
function importedText(
  { properties, calendars, calendarRows, milliseconds }: ImportSummary,
  { calendar }: ImportUnits,
): string {
  return `${counted(properties, 'home')} and ${counted(calendars, 'calendar')} with ${counted(calendarRows, calendar)} in ${(milliseconds / 1000).toFixed(1)} s`;
}

function importedJson(summary: ImportSummary, units: ImportUnits) {
  return {
    properties: summary.properties,
    calendars: summary.calendars,
    [`calendar_${units.calendar}s`]: summary.calendarRows,
    milliseconds: summary.milliseconds,
    held_back: summary.rejections.map((fault) => ({ ...fault, remedy: REJECTION_RULES[fault.rule].remedy })),
    held_back_counts: summary.rejectionCounts,
    unmapped_amenities: summary.unmappedAmenities,
  };
}

/** Rejected lines with remedies, and unknown amenities. */
function notImportedLines(
  { rejections, rejectionCounts, unmappedAmenities }: ImportSummary,
  { line }: ImportUnits,
  { styled }: Pick<Terminal, 'styled'>,
): readonly string[] {
  const all = Object.values(rejectionCounts).reduce((sum, count) => sum + (count ?? 0), 0);
  const shown = rejections.slice(0, MAX_FAULTS_SHOWN);
  const faultLines = (fault: ImportFault) => [
    `  ${paragraph(describeImportFault(fault), '    ')}`,
    `    ${styled('faint', paragraph(`→ ${REJECTION_RULES[fault.rule].remedy}`, '      '))}`,
  ];
  return [
    all === 0 ? `No ${line} was held back.` : `Held back: ${counted(all, line)}`,
    ...shown.flatMap(faultLines),
    ...(all > shown.length ? [`  … and ${all - shown.length} more; --json lists the first thousand`] : []),
    `Words for amenities that are not in the vocabulary, and are not shown: ${numberOfUnmapped(unmappedAmenities)}.`,
  ];
}
