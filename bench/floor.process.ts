import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { workerBeside } from '../src/parsing/owned-memory.ts';
import type { FloorWrite } from './floor.worker.ts';
import { imitate, imitatedHeaders } from './imitation.ts';
import { answerParent, processorTime } from './parent-line.ts';

/**
 * What a durable step costs at least: the bare server, which also keeps sessions in a map, and answers once a thread has
 * written the session's new state and the key to SQLite. It still checks nothing, and decides nothing.
 */
const STATE_BYTES = 300;

type FloorSession = { readonly number: number; revision: number };
type WaitingAnswer = () => void;

const directory = mkdtempSync(join(tmpdir(), 'staywire-floor-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const file = join(directory, 'floor.sqlite');
const writer = new Worker(workerBeside(import.meta.url, 'floor'), {
  workerData: file,
});
const sessions = new Map<string, FloorSession>();
const filler = 'x'.repeat(STATE_BYTES);
let gathered: FloorWrite[] = [];
let waiting: WaitingAnswer[] = [];
let beingWritten: WaitingAnswer[] | null = null;
let isScheduled = false;
let build: () => unknown = () => ({});
let served = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const values = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : {};
    const query = new URLSearchParams(request.url?.slice(request.url.indexOf('?') + 1));
    const session = sessionOf(query.get('session') ?? '');
    session.revision += 1;
    const state = JSON.stringify({ values, revision: session.revision, filler });
    gathered.push({
      session: session.number,
      state: state.slice(0, STATE_BYTES),
      key: query.get('idempotency_key') ?? '',
    });
    waiting.push(() => {
      served += 1;
      const body = JSON.stringify(build());
      response.writeHead(200, imitatedHeaders(body, served));
      response.end(body);
    });
    startWriter();
  });
});

function sessionOf(token: string): FloorSession {
  let session = sessions.get(token);
  if (!session) {
    session = { number: sessions.size + 1, revision: 0 };
    sessions.set(token, session);
  }
  return session;
}

/** While one group is written, the next one gathers. */
function startWriter(): void {
  if (beingWritten || isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    writeGroup();
  });
}

function writeGroup(): void {
  if (waiting.length === 0) return;
  beingWritten = waiting;
  writer.postMessage(gathered);
  gathered = [];
  waiting = [];
}

writer.on('message', () => {
  const written = beingWritten ?? [];
  beingWritten = null;
  // First, so that the thread works while the answers are sent.
  writeGroup();
  for (const answer of written) answer();
});

server.listen(0, '127.0.0.1', () => {
  answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    processorTime,
    /** Sets the answer of the service to send from now on. */
    imitate(body) {
      build = imitate(String(body));
    },
    /** Read from the file, through a connection of its own. */
    stored() {
      const database = new DatabaseSync(file, { readOnly: true });
      const count = (table: string) =>
        database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
      const counts = { sessions: count('session'), keys: count('used_key') };
      database.close();
      return counts;
    },
  });
});
