import { Resolver as DnsResolver } from 'node:dns/promises';
import type { Resolver } from './resolver.ts';

const ATTEMPT_MS = 600;
const ATTEMPTS = 2;

/** Asks the name servers of this machine's configuration, or the ones given as `address:port`. */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  const dns = new DnsResolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  if (servers) dns.setServers(servers);
  return {
    reverse: (address) => dns.reverse(address),
    async forward(name) {
      const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
  };
}
