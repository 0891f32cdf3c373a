import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { type Address, parseAddress } from '../parsing/ip-address.ts';

/** The account of this machine whose program opened a connection; null for other machines, and where the system does not tell. */
export type AccountBehind = (
  socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>,
) => Promise<number | null>;

/** Where Linux lists the connections of the machine, a row for each end, by the family of its socket. */
const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' } as const;
/** In a row, counted from its own address: the other one, state, queues, timer, repetitions, account. */
const ACCOUNT_COLUMN = 6;
/** A closed connection shows the account of the system. */
const ESTABLISHED = '01';

export function createAccountBehind(readTable: (path: string) => Promise<string>): AccountBehind {
  /** A connection stays with the account that opened it. */
  const found = new WeakMap<object, number>();

  return async (socket) => {
    const known = found.get(socket);
    if (known !== undefined) return known;
    const peer = parseAddress(socket.remoteAddress ?? '');
    const own = parseAddress(socket.localAddress ?? '');
    const isOfThisMachine = peer?.range() === 'loopback' || socket.remoteAddress === socket.localAddress;
    if (!peer || !own || !isOfThisMachine) return null;
    for (const family of ['ipv4', 'ipv6'] as const) {
      const ends = [endOf(family, peer, socket.remotePort), endOf(family, own, socket.localPort)];
      const account = accountIn(
        await readTable(TABLES[family]).catch(() => ''),
        `${ends.join(' ')} ${ESTABLISHED} `,
      );
      if (account === undefined) continue;
      found.set(socket, account);
      return account;
    }
    return null;
  };
}

function accountIn(table: string, ends: string): number | undefined {
  const at = table.indexOf(ends);
  return at < 0 ? undefined : Number(table.slice(at, at + 200).split(/\s+/)[ACCOUNT_COLUMN]);
}

/** As the table writes it: words of four bytes in the order of the processor, and the port. A socket of IPv6 may have reached an address of IPv4. */
function endOf(family: keyof typeof TABLES, address: Address, port = 0): string {
  const isMapped = family === 'ipv6' && 'toIPv4MappedAddress' in address;
  const bytes = Buffer.from((isMapped ? address.toIPv4MappedAddress() : address).toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
