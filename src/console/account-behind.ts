import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { parseAddress } from '../reading/address.ts';

/** The account of this machine whose program opened a connection; null for other machines, and where the system does not tell. */
export type AccountBehind = (
  socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>,
) => Promise<number | null>;

/** Where Linux lists the connections of the machine, a row for each end. */
const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' } as const;
/** In a row, counted from its own address: the other one, state, queues, timer, repetitions, account. */
const ACCOUNT_COLUMN = 6;

export function createAccountBehind(readTable: (path: string) => Promise<string>): AccountBehind {
  /** A connection stays with the account that opened it. */
  const found = new WeakMap<object, number>();

  return async (socket) => {
    const known = found.get(socket);
    if (known !== undefined) return known;
    const peer = endOf(socket.remoteAddress, socket.remotePort);
    const own = endOf(socket.localAddress, socket.localPort);
    if (!peer || !own || !(peer.isLoopback || socket.remoteAddress === socket.localAddress)) return null;
    const table = await readTable(TABLES[peer.kind]).catch(() => '');
    const at = table.indexOf(`${peer.text} ${own.text} `);
    if (at < 0) return null;
    const account = Number(table.slice(at, at + 200).split(/\s+/)[ACCOUNT_COLUMN]);
    found.set(socket, account);
    return account;
  };
}

/** As the tables write it: words of four bytes in the order of the processor, and the port. */
function endOf(address = '', port = 0) {
  const parsed = parseAddress(address);
  if (!parsed) return undefined;
  const bytes = Buffer.from(parsed.toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  const text = `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  return { text, kind: parsed.kind(), isLoopback: parsed.range() === 'loopback' };
}
