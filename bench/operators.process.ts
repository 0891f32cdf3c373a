import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedOperator } from '../test/support/scripted-operator.ts';
import { BRANDS, propertiesOf } from './network.ts';
import { answerParent, processorTime } from './parent-line.ts';

/** The booking systems of all brands. They answer quotes after a delay that the parent process sets. */
const today = Math.floor(Date.now() / 86_400_000);
let delay = 0;

const operators = await Promise.all(
  BRANDS.map(async (brand) => {
    const operator = await startScriptedOperator();
    operator.properties = propertiesOf(brand, today);
    operator.quote = (property, { currency }) => ({
      property,
      status: 'quoted',
      currency,
      total: '412.50',
      lines: [
        { label: 'Three nights', amount: '352.50' },
        { label: 'Cleaning', amount: '60.00' },
      ],
    });
    operator.misbehave = async (path) => {
      if (path === '/quotes' && delay > 0) await sleep(delay);
      return false;
    };
    return operator;
  }),
);

answerParent(
  operators.map(({ origin }) => origin),
  {
    processorTime,
    delay(milliseconds) {
      delay = Number(milliseconds);
    },
  },
);
