import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { registeredHost } from '../parsing/web-address.ts';
import type { Discovery, FoundHost } from './discover-listings.ts';
import { optionWords, shellCommand, shellOption, UsageFault } from './faults.ts';
import { counted, type Terminal } from './terminal.ts';

const MAX_HOSTS = 20;

/** The hosts of a brand's pages and pictures: from its entry, from the options, or as the owner answered. */
type ChosenWebsite = {
  readonly hosts: readonly string[];
  readonly stayUrl: string | undefined;
  /** Found in the listings, and not confirmed by the owner. */
  readonly unregistered: readonly FoundHost[];
};

type KnownWebsite = {
  /** Of the existing entry. */
  readonly hosts: readonly string[];
  readonly stayUrl: string | undefined;
  /** As `--host` and `--stay-url` give them. */
  readonly givenHosts: readonly string[] | undefined;
  readonly givenStayUrl: string | undefined;
  /** Whether a host is registered without a question while the owner has named none. */
};

/** What to call the source in a question, and the form of a page's address where it follows from the entry. */
type WebsiteSource = { readonly title: string; readonly suggestedStayUrl?: string | undefined };

/**
 * Travellers are sent only to registered hosts, and an operator can write any address into its listings. So the owner decides: a host is
 * registered when the owner names it, or chooses it from those in the listings.
 */
export async function chooseWebsite(
  { listings, pages, hosts: found }: Pick<Discovery, 'listings' | 'pages' | 'hosts'>,
  { hosts, stayUrl, givenHosts, givenStayUrl }: KnownWebsite,
  source: WebsiteSource,
  {
    terminal,
    words,
    leftOut,
  }: {
    readonly terminal: Terminal;
    readonly words: readonly string[];
    /** Cities that are not on the network. */
    readonly leftOut: readonly string[];
  },
): Promise<ChosenWebsite> {
  const { suggestedStayUrl } = source;
  const lacksPages = listings > 0 && pages === 0 && (givenStayUrl ?? stayUrl) === undefined;
  // An owner who has named hosts, now or before, has decided: the report lists the other hosts.
  const isDecided = givenHosts !== undefined || hosts.length > 0;
  const named = [...hosts, ...(givenHosts ?? []).map(validHost), ...hostOfAddress(givenStayUrl)];
  const hasUnchosenHosts = (confirmed: readonly string[]) =>
    !isDecided && found.some(({ host }) => !confirmed.includes(host));
  const mustChooseHosts = hasUnchosenHosts(named);
  if (!terminal.canAsk && (lacksPages || mustChooseHosts)) {
    throw missingOptions({ ...source, lacksPages, found: mustChooseHosts ? found : [], leftOut, words });
  }
  const answered = lacksPages ? await askForStayUrl(terminal, suggestedStayUrl) : undefined;
  const website = [...named, ...hostOfAddress(answered)];
  const confirmed = hasUnchosenHosts(website)
    ? [...website, ...(await askForHosts(found, website, terminal))]
    : website;
  const chosen = [...new Set(confirmed)].slice(0, MAX_HOSTS);
  return {
    hosts: chosen,
    stayUrl: givenStayUrl ?? answered,
    unregistered: found.filter(({ host }) => !chosen.includes(host)),
  };
}

/** The host of an address with `{placeholders}`; none when there is no address. */
export function hostOfAddress(stayUrl: string | undefined): readonly string[] {
  const host = stayUrl === undefined ? undefined : URL.parse(stayUrl.replaceAll(/[{}]/g, ''))?.host;
  return host ? [host] : [];
}

export function assertHosts(hosts: readonly string[] = []): void {
  hosts.forEach(validHost);
}

export function assertStayUrl(stayUrl: string | undefined): void {
  if (stayUrl === undefined || hostOfAddress(stayUrl).length > 0) return;
  throw new UsageFault(
    [`${shellOption('--stay-url', stayUrl)} is not an address.`],
    `write it in a form such as ${STAY_URL_FORM}`,
  );
}

function validHost(text: string): string {
  const host = registeredHost(text);
  if (host !== undefined) return host;
  throw new UsageFault(
    [`${shellOption('--host', text)} is not the name of a host.`],
    'write it without https:// and without a path, such as www.example.com',
  );
}

/** Preselects the suggested hosts, or the only one found. */
function askForHosts(
  found: readonly FoundHost[],
  suggested: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  const shown = found.slice(0, MAX_HOSTS);
  const [only] = shown;
  const initial = shown.length === 1 && only ? [only.host] : suggested;
  return terminal.askForSome({
    message: 'Which of these hosts are the operator’s, or keep its pictures?',
    option: '--host',
    choices: shown.map(({ host, ...uses }) => ({ value: host, label: host, hint: hostUses(uses) })),
    initial: shown.map(({ host }) => host).filter((host) => initial.includes(host)),
  });
}

function askForStayUrl(terminal: Terminal, suggested: string | undefined): Promise<string> {
  return terminal.ask({
    message: `Address of a home’s page, in a form such as\n${suggested ?? STAY_URL_FORM}`,
    option: '--stay-url',
    ...(suggested === undefined ? {} : { initial: suggested }),
    faultOf: (text) =>
      URL.canParse(text.replaceAll(/[{}]/g, '')) && /\{reference\}.*\{check_in\}/.test(text)
        ? undefined
        : 'It must be an address with {reference}, {check_in} and {check_out}.',
  });
}

const MAX_LISTED = 20;
const STAY_URL_FORM = 'https://www.example.com/homes/{reference}?from={check_in}&to={check_out}';
const NOT_ON_THE_NETWORK =
  'These cities are not on the network; --time-zone adds them, --place "City=PLACE" says which place one is:';
const UNCONFIRMED_HOSTS = 'Nobody has said which hosts are the operator’s. Its listings name:';

/** The fault of an import that cannot ask for the places of its cities. */
export function citiesNotPlaced(leftOut: readonly string[], words: readonly string[]): UsageFault {
  return missingOptions({ lacksPages: false, found: [], leftOut, title: '', words });
}

/** One fault for everything that is missing: each run reads the whole catalogue of the vendor. */
export function missingOptions({
  lacksPages,
  found,
  leftOut,
  title,
  suggestedStayUrl,
  words,
}: WebsiteSource & {
  readonly lacksPages: boolean;
  readonly found: readonly FoundHost[];
  readonly leftOut: readonly string[];
  readonly words: readonly string[];
}): UsageFault {
  const hosts = found.slice(0, MAX_LISTED);
  const cities = leftOut.slice(0, MAX_LISTED).map((city) => shownText(city));
  const listed = (heading: string, entries: readonly string[], all: number) =>
    [heading, ...entries, ...(all > entries.length ? [`and ${all - entries.length} more`] : [])].join('\n');
  // With a time zone given, the cities left are those whose names no place can have.
  const placing = words.some((word) => /^--time-zone(?:=|$)/.test(word))
    ? cities.flatMap((city) => optionWords('--place', `${city}=PLACE`))
    : ['--time-zone', 'ZONE'];
  return new UsageFault(
    [
      ...(lacksPages
        ? [
            `${title} does not say where the page of a home is. Its address has a form such as\n${suggestedStayUrl ?? STAY_URL_FORM}`,
          ]
        : []),
      ...(hosts.length > 0 ? [listed(UNCONFIRMED_HOSTS, hosts.map(describedHost), found.length)] : []),
      ...(cities.length > 0 ? [listed(NOT_ON_THE_NETWORK, cities, leftOut.length)] : []),
    ],
    `run it like this${lacksPages || cities.length > 0 ? ', with what is right in place of the capitals' : ''}${hosts.length > 0 ? '; leave out hosts that are not the operator’s and do not keep its pictures' : ''}:`,
    shellCommand([
      ...words,
      ...(cities.length > 0 ? placing : []),
      ...(lacksPages ? optionWords('--stay-url', suggestedStayUrl ?? 'ADDRESS') : []),
      ...hosts.flatMap(({ host }) => optionWords('--host', host)),
    ]),
  );
}

/** `www.harbor.example (pages of 3 homes, pictures of 3 homes)` */
function describedHost({ host, pages, pictures }: FoundHost): string {
  return `${host} (${hostUses({ pages, pictures })})`;
}

/** A warning with the option that registers the host. */
export function notRegistered(found: FoundHost): string {
  return `${describedHost(found)} is not registered, and what is on it is left out. Add it with\n${shellOption('--host', found.host)}`;
}

function hostUses({ pages, pictures }: Pick<FoundHost, 'pages' | 'pictures'>): string {
  const uses = Object.entries({ pages, pictures }).filter(([, homes]) => homes > 0);
  return uses.map(([use, homes]) => `${use} of ${counted(homes, 'home')}`).join(', ');
}
