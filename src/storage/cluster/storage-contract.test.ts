import { describe } from 'node:test';
import { openLonelyNode, skippedWithoutServers } from '../../../test/support/cluster-storage.ts';
import { storageContract } from '../storage.contract.ts';

describe('cluster', { skip: skippedWithoutServers }, () => storageContract(openLonelyNode));
