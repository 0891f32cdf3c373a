import { isIP } from 'node:net';
import { readCredentialsKey } from '../connectors/shared/account/account-credentials.ts';
import { addressSetFrom, isAmong, LOOPBACK_NETWORKS, parseAddress, readCidr } from '../parsing/ip-address.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';

/** Reads the text of one variable. A fault completes the sentence "STAYWIRE_X must be …". */
export type Parser<Value> = (text: string) => Reading<Value>;

const loopback = addressSetFrom(LOOPBACK_NETWORKS);

export const anyText: Parser<string> = (text) => valid(text);

export function integerBetween(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? valid(value) : invalid(`a whole number between ${min} and ${max}`);
  };
}

/** Null turns the feature off. */
export function integerOrOff(min: number, max: number): Parser<number | null> {
  return integerUnlessOff(min, max, null);
}

/** How long something is stored; `off` turns the deletion off. */
export function integerOrForEver(min: number, max: number): Parser<number | 'for_ever'> {
  return integerUnlessOff(min, max, 'for_ever');
}

function integerUnlessOff<Off>(min: number, max: number, off: Off): Parser<number | Off> {
  const integer = integerBetween(min, max);
  return (text) => {
    if (text === 'off') return valid(off);
    const reading = integer(text);
    return reading.kind === 'valid'
      ? reading
      : invalid(...reading.faults.map((fault) => `"off" or ${fault}`));
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Parser<Choice> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? invalid(`one of ${choices.join(', ')}`) : valid(value);
  };
}

export const hostName: Parser<string> = (text) =>
  isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
    ? valid(text)
    : invalid('an address or a host name without a port');

export const hostList: Parser<readonly string[]> = (text) => {
  const entries = listed(text);
  return entries.every((entry) => hostName(entry).kind === 'valid')
    ? valid(entries.map((entry) => entry.toLowerCase()))
    : invalid('a list of host names without ports, separated by commas');
};

export const cidrList: Parser<readonly string[]> = (text) => {
  const entries = listed(text);
  const faults = entries
    .map(readCidr)
    .flatMap((reading) => (reading.kind === 'invalid' ? reading.faults : []));
  return faults.length === 0
    ? valid(entries)
    : invalid(`a list of networks separated by commas: ${faults.join('; ')}`);
};

/** The fault does not repeat what was given: it may be a key all the same. */
export const encryptionKey: Parser<Uint8Array> = (text) => {
  const key = readCredentialsKey(text);
  return key ? valid(key) : invalid('32 bytes, as 64 hexadecimal digits or in base64');
};

/** In the log and the labels of metrics. */
export const shortName: Parser<string> = (text) =>
  /^[\w.-]{1,100}$/.test(text)
    ? valid(text)
    : invalid('at most 100 letters, digits, dots, hyphens and underscores');

/**
 * An address with a password in it, of one host. The fault does not repeat what was given, and a name or password needs its
 * punctuation percent-encoded: so that clients read it as it is meant, and the log recognises it as a secret wherever it turns up.
 */
export function serverUrl(schemes: readonly string[], database = String.raw`[\w.%-]*`): Parser<string> {
  const user = String.raw`(?:(?:[\w.~!$&*+,;=:-]|%[\da-f]{2})+@)?`;
  const host = String.raw`(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?`;
  const pattern = new RegExp(
    String.raw`^(?:${schemes.join('|')})://${user}${host}(?:/${database})?(?:\?[^\s"'<>\\]*)?$`,
    'i',
  );
  return (text) =>
    pattern.test(text)
      ? valid(text)
      : invalid(
          `an address of one host such as ${schemes[0]}://user:password@host:port/database, with any punctuation in the password percent-encoded`,
        );
}

/** Links with session tokens start with this origin, so plain http is accepted on loopback only. */
export const publicOrigin: Parser<string> = (text) => {
  const fault = 'an origin such as https://stays.example, without a path (http only on loopback)';
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/?#@\\]+\/?$/i.test(text)) return invalid(fault);
  const address = parseAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const isLoopback = url.hostname === 'localhost' || (address !== undefined && isAmong(loopback, address));
  return url.protocol === 'https:' || isLoopback ? valid(url.origin) : invalid(fault);
};

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
