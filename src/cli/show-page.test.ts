import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { browserCommand, type Launch, launchProgram, showPage } from './system-terminal.ts';

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

  for (const [what, code, isShown] of [
    ['ends well', 0, true],
    ['ends at once with a fault, as without a display', 3, false],
    ['is not there, or is killed', null, false],
  ] as const) {
    it(`is ${isShown ? 'open' : 'not open'} where what opens it ${what}`, async () => {
      const clock = createFakeClock(0);
      const stage = staged();
      const shown = showPage('https://stay.example/a', { launch: stage.launch, clock, platform: 'linux' });
      assert.deepEqual(stage.launched, [['xdg-open', 'https://stay.example/a']]);
      stage.end(code);
      assert.equal(await shown, isShown);
      assert.equal(clock.pendingTimers, 0);
    });
  }

  it('is taken for open where what opens it goes on, which is then left alone', async () => {
    const clock = createFakeClock(0);
    const stage = staged();
    const shown = showPage('https://stay.example/a', { launch: stage.launch, clock });
    await clock.advance(1499);
    assert.equal(stage.isLeft(), false);
    await clock.advance(1);
    assert.equal(await shown, true);
    assert.equal(stage.isLeft(), true);
  });

  it('is opened by a real program, of which the end is seen', async () => {
    for (const [program, isShown] of [
      [[process.execPath, '-e', 'process.exit(0)'], true],
      [[process.execPath, '-e', 'process.exit(3)'], false],
      [['/no/such/program'], false],
    ] as const) {
      const clock = createFakeClock(0);
      const launch: Launch = () => launchProgram(program);
      assert.equal(await showPage('https://stay.example/a', { launch, clock }), isShown, program.join(' '));
    }
  });
});

/** A launcher that ends when the test says so. */
function staged() {
  const launched: (readonly string[])[] = [];
  const { promise, resolve } = Promise.withResolvers<number | null>();
  let isLeft = false;
  const launch: Launch = (command) => {
    launched.push(command);
    return {
      ended: promise,
      leave: () => {
        isLeft = true;
      },
    };
  };
  return {
    launch,
    launched,
    isLeft: () => isLeft,
    end: resolve,
  };
}
