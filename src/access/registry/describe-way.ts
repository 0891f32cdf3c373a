import { hash } from 'node:crypto';
import { cidrsOf } from '../../parsing/ip-address.ts';
import type { Recognition } from './assistant-registry.ts';

const MAX_LISTED = 3;
const MAX_URL_LENGTH = 200;
const DIGEST_LENGTH = 12;

/** A way of recognition in a few words, the same for the same way. Long lists are told by their beginning and a digest of the whole. */
export function describeWay(way: Recognition): string {
  switch (way.kind) {
    case 'signature':
      return `signature by keys at ${shownUrl(way.keysUrl)}`;
    case 'ranges':
      return `${way.userAgent} from ${listed(cidrsOf(way.ranges))}`;
    case 'published_ranges':
      return `${way.userAgent} from the list at ${shownUrl(way.url)}`;
    case 'reverse_dns':
      return `${way.userAgent} from names under ${listed(way.domains)}`;
    case 'network':
      return `network ${listed(cidrsOf(way.networks))}`;
  }
}

/** Without the query, which may hold a secret. */
function shownUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, MAX_URL_LENGTH);
}

function listed(entries: readonly string[]): string {
  const shown = entries.slice(0, MAX_LISTED).join(', ');
  if (entries.length <= MAX_LISTED) return shown;
  const digest = hash('sha256', entries.join(' ')).slice(0, DIGEST_LENGTH);
  return `${shown} and ${entries.length - MAX_LISTED} more (${digest})`;
}
