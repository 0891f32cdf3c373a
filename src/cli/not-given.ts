import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { UsageFault } from './faults.ts';
import { describedHost } from './host-text.ts';
import type { FoundHost } from './import/found-hosts.ts';
import { optionWords, shellCommand } from './shell-command.ts';

const MAX_LISTED = 20;
export const STAY_URL_FORM = 'https://www.example.com/homes/{reference}?from={check_in}&to={check_out}';
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
