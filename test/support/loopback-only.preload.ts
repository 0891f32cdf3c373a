import { Socket } from 'node:net';

/** Loaded into a process that must not talk to anybody beyond this machine. A connection ends it, so that no code can hide it. */
const LOOPBACK = /^(127(\.\d+){3}|::1|localhost)$/;
const EXIT_CODE = 86;

const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const host = hostIn(args);
  if (host !== null && !LOOPBACK.test(host)) {
    process.stderr.write(`A connection to ${host}, which is not this machine.\n`);
    process.exit(EXIT_CODE);
  }
  return connect.apply(this, args);
} as typeof Socket.prototype.connect;

/** Null for a path on this machine. `connect` of the module hands its arguments on as one list. */
function hostIn(args: readonly unknown[]): string | null {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first !== 'object' || first === null) return typeof second === 'string' ? second : 'localhost';
  const { path, host = 'localhost' } = first as { readonly path?: string; readonly host?: string };
  return path === undefined || path === null ? host : null;
}
