import { isIP } from 'node:net';
import { addressSetFrom, LOOPBACK_NETWORKS, parseAddress, readCidr } from './access/address.ts';

/** Reads the text of one variable. A fault completes the sentence "STAYWIRE_X must be …". */
export type Parser<Value> = (text: string) => { readonly value: Value } | { readonly fault: string };

const loopback = addressSetFrom(LOOPBACK_NETWORKS);

export const anyText: Parser<string> = (text) => ({ value: text });

export function integerBetween(least: number, most: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : { fault: `a whole number between ${least} and ${most}` };
  };
}

export function integerOrOff(least: number, most: number): Parser<number | null> {
  const integer = integerBetween(least, most);
  return (text) => {
    if (text === 'off') return { value: null };
    const reading = integer(text);
    return 'fault' in reading ? { fault: `"off" or ${reading.fault}` } : reading;
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Parser<Choice> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? { fault: `one of ${choices.join(', ')}` } : { value };
  };
}

export const hostName: Parser<string> = (text) =>
  isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
    ? { value: text }
    : { fault: 'an address or a host name without a port' };

export const cidrList: Parser<readonly string[]> = (text) => {
  const value = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const faults = value.map(readCidr).flatMap((reading) => ('fault' in reading ? [reading.fault] : []));
  return faults.length === 0
    ? { value }
    : { fault: `a list of networks separated by commas: ${faults.join('; ')}` };
};

/** Session tokens travel in these addresses, so they are never sent in the clear beyond this machine. */
export const publicOrigin: Parser<string> = (text) => {
  const fault = 'an origin such as https://stays.example, without a path (http only on loopback)';
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/?#@\\]+\/?$/i.test(text)) return { fault };
  const address = parseAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const isLoopback = url.hostname === 'localhost' || (address !== undefined && loopback.has(address));
  return url.protocol === 'https:' || isLoopback ? { value: url.origin } : { fault };
};
