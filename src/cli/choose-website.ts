import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { registeredHost } from '../parsing/web-address.ts';
import type { Discovery, FoundHost } from './discover-listings.ts';
import { UsageFault } from './faults.ts';
import { optionWords, shellCommand, shellOption } from './shell-command.ts';
import type { Terminal } from './terminal.ts';
import { counted } from './text-layout.ts';

const MAX_HOSTS = 20;

/** Where the pages and pictures of a brand are: what its entry had, what the options say, or what was answered. */
type ChosenWebsite = {
  readonly hosts: readonly string[];
  readonly stayUrl: string | undefined;
  /** Found in the listings, and not confirmed by anybody. */
  readonly unregistered: readonly FoundHost[];
};

type KnownWebsite = {
  /** Of the entry that is there already. */
  readonly hosts: readonly string[];
  readonly stayUrl: string | undefined;
  /** As `--host` and `--stay-url` give them. */
  readonly givenHosts: readonly string[] | undefined;
  readonly givenStayUrl: string | undefined;
  /** Whether a host goes without saying, as long as nobody names or chooses hosts. */
  readonly isKnownHost?: ((host: string) => boolean) | undefined;
};

/**
 * What travellers are sent to is what is on a registered host, and an operator can write any address into its listings. So a host is registered
 * only when somebody says so: the owner has named it, or chooses it from what was found.
 */
export async function chooseWebsite(
  { listings, pages, hosts: found }: Pick<Discovery, 'listings' | 'pages' | 'hosts'>,
  { hosts, stayUrl, givenHosts, givenStayUrl, isKnownHost = () => false }: KnownWebsite,
  /** What does not say where the page of a home is, and the address that a page has where that follows from its entry. */
  { title, suggestedStayUrl }: { readonly title: string; readonly suggestedStayUrl?: string | undefined },
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
  const lacksPages = listings > 0 && pages === 0 && (givenStayUrl ?? stayUrl) === undefined;
  // Whoever has named hosts, now or before, has decided: the report says what is on others.
  const isDecided = givenHosts !== undefined || hosts.length > 0;
  const named = [...hosts, ...(givenHosts ?? []).map(validHost), ...hostOfAddress(givenStayUrl)];
  const known = isDecided ? [] : found.map(({ host }) => host).filter(isKnownHost);
  const isOpenWith = (confirmed: readonly string[]) =>
    !isDecided && found.some(({ host }) => !confirmed.includes(host));
  const isOpen = isOpenWith([...named, ...known]);
  if (!terminal.canAsk && (lacksPages || isOpen)) {
    throw notGiven({ lacksPages, found: isOpen ? found : [], leftOut, title, suggestedStayUrl, words });
  }
  const answered = lacksPages ? await askForStayUrl(terminal, suggestedStayUrl) : undefined;
  const website = [...named, ...hostOfAddress(answered)];
  const suggested = [...website, ...known];
  const confirmed = isOpenWith(suggested)
    ? [...website, ...(await askForHosts(found, suggested, terminal))]
    : suggested;
  const chosen = [...new Set(confirmed)].slice(0, MAX_HOSTS);
  return {
    hosts: chosen,
    stayUrl: givenStayUrl ?? answered,
    unregistered: found.filter(({ host }) => !chosen.includes(host)),
  };
}

/** Of an address with places to fill in; none when there is no address. */
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

/** Chosen at first: those that are suggested, or the only one there is. */
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
const NOBODY_SAID = 'Nobody has said which hosts are the operator’s. Its listings name:';

/** For whoever cannot be asked what the cities are. */
export function citiesNotPlaced(leftOut: readonly string[], words: readonly string[]): UsageFault {
  return notGiven({ lacksPages: false, found: [], leftOut, title: '', words });
}

/** Everything at once: each run asks the vendor for its whole catalogue. */
export function notGiven({
  lacksPages,
  found,
  leftOut,
  title,
  suggestedStayUrl,
  words,
}: {
  readonly lacksPages: boolean;
  readonly found: readonly FoundHost[];
  readonly leftOut: readonly string[];
  readonly title: string;
  readonly suggestedStayUrl?: string | undefined;
  readonly words: readonly string[];
}): UsageFault {
  const hosts = found.slice(0, MAX_LISTED);
  const cities = leftOut.slice(0, MAX_LISTED).map((city) => shownText(city));
  const listed = (heading: string, entries: readonly string[], all: number) =>
    [heading, ...entries, ...(all > entries.length ? [`and ${all - entries.length} more`] : [])].join('\n');
  // A city that a time zone does not add has a name that no place can have.
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
      ...(hosts.length > 0 ? [listed(NOBODY_SAID, hosts.map(describedHost), found.length)] : []),
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

/** For whoever has to decide once more. */
export function notRegistered(found: FoundHost): string {
  return `${describedHost(found)} is not registered, and what is on it is left out. Add it with\n${shellOption('--host', found.host)}`;
}

function hostUses({ pages, pictures }: Pick<FoundHost, 'pages' | 'pictures'>): string {
  const uses = [
    ...(pages > 0 ? [`pages of ${counted(pages, 'home')}`] : []),
    ...(pictures > 0 ? [`pictures of ${counted(pictures, 'home')}`] : []),
  ];
  return uses.join(', ');
}
