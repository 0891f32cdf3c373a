import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Who may run the server, which refuses to run as root. */
type Account = { readonly uid: number; readonly gid: number };

export type PostgresServer = {
  readonly folder: string;
  /** Ends it at once, as a crash would, and waits until it has ended. */
  stop(): void;
  /** After it was stopped: with the same data at the same address. */
  start(): void;
};

export type PostgresServerOptions = {
  /** Of the data, the log and the socket. Belongs to the account of the server from now on. */
  readonly folder: string;
  readonly user: string;
  readonly settings: readonly string[];
};

const START_LIMIT_MS = 60_000;

/** Starts a server with a new database, whose socket is in the folder. It ends with this process. */
export function startPostgres(options: PostgresServerOptions): PostgresServer | { readonly missing: string } {
  const { folder, user, settings } = options;
  const programs = findPostgres();
  if (programs === undefined) return { missing: 'it is not installed' };
  const account = accountOfServer();
  if (account && 'missing' in account) return account;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(programs, program), ['-D', data, ...args], {
      ...account,
      cwd: folder,
      stdio: 'ignore',
      timeout: START_LIMIT_MS,
    }).status === 0;
  const flags = settings.map((setting) => `-c ${setting}`).join(' ');
  const start = () =>
    run('pg_ctl', ['start', '-w', '-l', join(folder, 'log'), '-o', `-k '${folder}' ${flags}`]);
  const stop = () => {
    run('pg_ctl', ['stop', '-w', '-m', 'immediate']);
  };
  if (!run('initdb', ['--username', user, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'])) {
    return { missing: 'initdb did not succeed' };
  }
  if (!start()) return { missing: 'the server did not start' };
  // It would outlive a process that ends early.
  process.once('exit', stop);
  return {
    folder,
    stop() {
      process.off('exit', stop);
      stop();
    },
    start() {
      if (!start()) throw new Error('PostgreSQL did not start again');
      process.once('exit', stop);
    },
  };
}

/** The folder of its programs: of the newest that Debian has installed, which is not on the path; elsewhere that on the path. */
export function findPostgres(): string | undefined {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/pg_ctl').sort((one, other) =>
    other.localeCompare(one, 'en', { numeric: true }),
  );
  if (newest !== undefined) return dirname(newest);
  return (process.env.PATH ?? '').split(':').find((place) => existsSync(join(place, 'pg_ctl')));
}

/** Undefined for whoever is not root. */
function accountOfServer(): Account | { readonly missing: string } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number.parseInt(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout, 10),
  );
  if (!uid || !gid) return { missing: 'it does not run as root, and there is no account postgres' };
  return { uid, gid };
}
