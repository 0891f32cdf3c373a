import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { recordTrySession } from './try-session.ts';

const PAGE = new URL('../../docs/command-line.md', import.meta.url);
const RECORDED = /(?<=<!-- recorded: try -->\n)[\s\S]*?(?=<!-- end of recorded -->)/;

it('the search in docs/command-line.md is what a person sees; RECORD_SESSION=1 writes it anew', async (t) => {
  const session = `\n\`\`\`\n${await recordTrySession(t)}\`\`\`\n\n`;
  if (process.env.RECORD_SESSION === '1') {
    writeFileSync(
      PAGE,
      readFileSync(PAGE, 'utf8').replace(RECORDED, () => session),
    );
  }
  assert.equal(RECORDED.exec(readFileSync(PAGE, 'utf8'))?.[0], session);
});
