import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsOfHtml } from './payloads.ts';

describe('words of HTML', () => {
  for (const [html, words] of [
    [
      '<div>\n  <div>- Quiet from 22:00.</div>\n  <div>- Pay &amp; go.</div></div>',
      '- Quiet from 22:00.\n- Pay & go.',
    ],
    ['<p class="a">All is <b>re</b>funded.<br />Half<br>later.</p>', 'All is refunded.\nHalf\nlater.'],
    ['Half is kept\nafter that.', 'Half is kept after that.'],
    ['Below 5 < 7 and &amp;lt;b&gt;', 'Below 5 < 7 and &lt;b>'],
    ['<p> &nbsp; </p>', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    it(`of ${JSON.stringify(html)}`, () => {
      assert.equal(wordsOfHtml(html), words);
    });
  }

  it('take no time when there are many brackets', () => {
    const started = process.cpuUsage();
    wordsOfHtml('<a '.repeat(7000));
    wordsOfHtml('<'.repeat(20_000));
    assert.ok(process.cpuUsage(started).user < 1_000_000);
  });
});
