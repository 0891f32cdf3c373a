import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { OwnerSettings } from './owner-settings.ts';

/** What every store of the owner's settings promises. */
export function ownerSettingsContract({
  newSettings,
}: {
  readonly newSettings: (test: TestContext) => Promise<OwnerSettings>;
}): void {
  it('has nothing until it is set, and then what was set last', async (t) => {
    const settings = await newSettings(t);
    assert.equal(await settings.get('console_password'), null);
    await settings.set('console_password', '{"key":"é\u{1f511}"}');
    await settings.set('console_password', 'the second');
    assert.equal(await settings.get('console_password'), 'the second');
  });
}
