import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerParent } from '../parent-line.ts';
import { startBookingSystems } from './booking-systems.ts';
import { measuredHomes } from './homes.ts';

/** All booking systems in a process of their own, so that only the work of the connectors is counted. */
const folder = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const systems = await startBookingSystems({
  homes: measuredHomes(Number(process.argv[2])),
  today: Math.floor(Date.now() / 86_400_000),
  folder,
});
answerParent(systems, {});
