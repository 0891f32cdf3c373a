import { FOUND_RULE_BYTES, FOUND_RULE_NIGHTS, RULE_CLOSED, RULE_MAX, RULE_MIN } from '../layout';

/**
 * Lists the distinct rules of arrival of a calendar with their numbers of nights, and writes the rule number of every night. Returns
 * the number of rules. A minimum stay of 0 counts as 1.
 */
export function findRules(
  minimums: u32,
  maximums: u32,
  closed: u32,
  nights: i32,
  ruleOf: u32,
  rules: u32,
): i32 {
  let count = 0;
  let number = -1;
  let rule = rules;
  for (let night = 0; night < nights; night++) {
    const minimum = max(1, <i32>load<u16>(minimums + (night << 1)));
    const maximum = <i32>load<u16>(maximums + (night << 1));
    const isClosed = load<u8>(closed + night) === 1;
    // Rules mostly last for weeks, so few nights need a search.
    if (number < 0 || !isRule(rule, minimum, maximum, isClosed)) {
      number = 0;
      rule = rules;
      for (; number < count && !isRule(rule, minimum, maximum, isClosed); number++) rule += FOUND_RULE_BYTES;
      if (number === count) {
        count++;
        store<i32>(rule + RULE_CLOSED, isClosed ? 1 : 0);
        store<i32>(rule + RULE_MIN, minimum);
        store<i32>(rule + RULE_MAX, maximum);
        store<i32>(rule + FOUND_RULE_NIGHTS, 0);
      }
    }
    store<i32>(rule + FOUND_RULE_NIGHTS, load<i32>(rule + FOUND_RULE_NIGHTS) + 1);
    store<u16>(ruleOf + (night << 1), <u16>number);
  }
  return count;
}

function isRule(rule: u32, minimum: i32, maximum: i32, isClosed: bool): bool {
  return (
    load<i32>(rule + RULE_MIN) === minimum &&
    load<i32>(rule + RULE_MAX) === maximum &&
    (load<i32>(rule + RULE_CLOSED) !== 0) === isClosed
  );
}
