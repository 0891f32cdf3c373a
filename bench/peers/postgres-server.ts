import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Who may run the server, which refuses to run as root. */
type Account = { readonly uid: number; readonly gid: number };

export type PostgresServer = {
  /** The folder of its socket: it listens nowhere else. */
  readonly socketFolder: string;
  readonly user: string;
  stop(): void;
};

const START_LIMIT_MS = 60_000;
const USER = 'bench';

/** Enough memory for all tables, and none of the care that a benchmark's data does not need. */
const SETTINGS = [
  "listen_addresses=''",
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'shared_buffers=2GB',
  'work_mem=256MB',
  'maintenance_work_mem=1GB',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'random_page_cost=1.1',
];

/** Starts a server with a new database in the folder. */
export function startPostgres(folder: string): PostgresServer | { readonly missing: string } {
  const programs = findPostgres();
  if (programs === undefined) return { missing: 'it is not installed' };
  const account = accountOfServer();
  if (account && 'missing' in account) return account;
  const home = join(folder, 'postgres');
  mkdirSync(home);
  if (account) for (const path of [folder, home]) chownSync(path, account.uid, account.gid);
  const data = join(home, 'data');
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(programs, program), ['-D', data, ...args], {
      ...account,
      cwd: home,
      stdio: 'ignore',
      timeout: START_LIMIT_MS,
    }).status === 0;
  const options = SETTINGS.map((setting) => `-c ${setting}`).join(' ');
  if (!run('initdb', ['--username', USER, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'])) {
    return { missing: 'initdb did not succeed' };
  }
  if (!run('pg_ctl', ['start', '-w', '-l', join(home, 'log'), '-o', `-k '${home}' ${options}`])) {
    return { missing: 'the server did not start' };
  }
  const stop = () => {
    run('pg_ctl', ['stop', '-w', '-m', 'immediate']);
  };
  // It would outlive a process that ends early.
  process.once('exit', stop);
  return {
    socketFolder: home,
    user: USER,
    stop() {
      process.off('exit', stop);
      stop();
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
