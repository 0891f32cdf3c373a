import assert from 'node:assert/strict';
import {
  type AssistantRegistry,
  describeAssistantRegistry,
} from '../../src/access/registry/assistant-registry.ts';

/** A registry with these entries, which name no files. */
export function registryOf(...assistants: object[]): AssistantRegistry {
  const reading = describeAssistantRegistry({ assistants }, () => assert.fail('no file is named'));
  assert.equal(reading.kind, 'valid');
  return reading.value;
}
