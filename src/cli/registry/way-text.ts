import type { WayInDocument } from '../../access/registry/registry-file.ts';
import { counted } from '../counted.ts';

const MAX_SHOWN = 3;

/** What a caller needs to be recognised in this way. */
export function wayText(way: WayInDocument): string {
  if ('signature_agent' in way) return `a signature by a key of ${way.signature_agent}`;
  if ('jwks_uri' in way) return `a signature by a key at ${way.jwks_uri}`;
  if ('network' in way) return `any caller in ${listed(way.network)}`;
  const agent = `User-Agent ${way.user_agent}`;
  if ('ranges' in way) return `${agent}, from ${listed(way.ranges)}`;
  if ('ranges_file' in way) return `${agent}, from the networks in ${way.ranges_file}`;
  if ('ranges_url' in way) return `${agent}, from the networks published at ${way.ranges_url}`;
  return `${agent}, from a machine whose name is under ${way.reverse_dns.join(' or ')}`;
}

function listed(networks: readonly string[]): string {
  const shown = networks.slice(0, MAX_SHOWN).join(', ');
  const others = networks.length - MAX_SHOWN;
  return others > 0 ? `${shown} and ${counted(others, 'other network')}` : shown;
}
