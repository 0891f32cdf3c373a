import { Resolver as DnsResolver } from 'node:dns/promises';
import type { Resolver } from './resolver.ts';

const ATTEMPT_MS = 600;
const MAX_ATTEMPTS = 2;

/** Uses the name servers that this machine is configured with, or the given ones (`address:port`). */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  const dns = new DnsResolver({ timeout: ATTEMPT_MS, tries: MAX_ATTEMPTS });
  if (servers) dns.setServers(servers);
  return {
    reverse: (address) => dns.reverse(address),
    async forward(name) {
      const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
  };
}
