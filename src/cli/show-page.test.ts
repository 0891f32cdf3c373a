import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserCommand, showPage } from './show-page.ts';

describe('a page in the browser', () => {
  it('is opened by the program that each system has for it, and never by a shell', () => {
    const address = 'https://stay.example/a?x=1&y=$(rm)';
    assert.deepEqual(browserCommand('linux', address), ['xdg-open', address]);
    assert.deepEqual(browserCommand('darwin', address), ['open', address]);
    assert.deepEqual(browserCommand('win32', address), ['rundll32', 'url.dll,FileProtocolHandler', address]);
  });

  it('is not opened unless it is a page of the web', async () => {
    for (const address of ['file:///etc/passwd', 'javascript:alert(1)', '--help', '', 'ssh://host']) {
      assert.equal(await showPage(address), false, address);
    }
  });
});
