import type { OwnerSetting, OwnerSettings } from '../../console/owner-settings.ts';

export function createMemoryOwnerSettings(): OwnerSettings {
  const values = new Map<OwnerSetting, string>();
  return {
    get: async (name) => values.get(name) ?? null,
    async set(name, value) {
      values.set(name, value);
    },
  };
}
