import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { BrandControl, BrandControls } from './brand-controls.ts';

/** What every store of the owner's decisions promises. */
export function brandControlsContract({
  newControls,
}: {
  readonly newControls: (test: TestContext) => Promise<BrandControls>;
}): void {
  it('knows nothing of brands about which nothing was decided', async (t) => {
    assert.deepEqual(await (await newControls(t)).all(), []);
  });

  it('pauses and resumes, and keeps since when', async (t) => {
    const controls = await newControls(t);
    await controls.setPaused('azul', true, 100);
    await controls.setPaused('azul', true, 200);
    await controls.setPaused('verde', true, 300);
    assert.deepEqual(byBrand(await controls.all()), [
      { ...NOTHING, brand: 'azul', pausedAt: 100 },
      { ...NOTHING, brand: 'verde', pausedAt: 300 },
    ]);
    await controls.setPaused('azul', false, 400);
    await controls.setPaused('rojo', false, 400);
    assert.deepEqual(
      byBrand(await controls.all()).map(({ pausedAt }) => pausedAt),
      [null, null, 300],
    );
    await controls.setPaused('azul', true, 500);
    assert.equal(byBrand(await controls.all())[0]?.pausedAt, 500);
  });

  it('keeps the last request for a reading, whether or not the brand is paused', async (t) => {
    const controls = await newControls(t);
    await controls.requestReading('azul', 100);
    await controls.setPaused('azul', true, 200);
    await controls.requestReading('azul', 300);
    await controls.requestReading('azul', 250);
    await controls.setPaused('azul', false, 400);
    assert.deepEqual(await controls.all(), [{ ...NOTHING, brand: 'azul', readingRequestedAt: 300 }]);
  });
}

const NOTHING = { pausedAt: null, readingRequestedAt: null };

function byBrand(controls: readonly BrandControl[]): readonly BrandControl[] {
  return controls.toSorted((one, other) => (one.brand < other.brand ? -1 : 1));
}
