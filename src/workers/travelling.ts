import type { OperationRequest } from '../contract/exchange.ts';
import type { WaitingClient } from '../contract/waiting-client.ts';
import type { OperationAnswer } from '../operations/serve-operation.ts';

/**
 * Requests and answers as they travel between threads: lists without names. Copying an object costs a thread more than twice as much,
 * because it writes and reads the name of every member.
 */
export type TravellingRequest = readonly [
  id: OperationRequest['id'],
  operation: OperationRequest['operation'],
  assistant: string,
  address: string,
  token: OperationRequest['token'],
  key: OperationRequest['key'],
  versions: OperationRequest['versions'],
  values: OperationRequest['values'],
  method: OperationRequest['method'],
  view: OperationRequest['view'],
  unknownParameter: OperationRequest['unknownParameter'],
  faultyParameter: OperationRequest['faultyParameter'],
  amenitiesAtOnce: OperationRequest['amenitiesAtOnce'],
];

export type TravellingAnswer = readonly [
  body: OperationAnswer['body'],
  error: OperationAnswer['error'],
  replayed: OperationAnswer['replayed'],
  retryAfterSeconds: OperationAnswer['retryAfterSeconds'],
  tag: OperationAnswer['tag'],
  current: OperationAnswer['current'],
  key: OperationAnswer['key'],
  limit: number,
  remaining: number,
  resetAt: number,
  allowed: boolean,
  waitSeconds: number,
];

/** The client that waits for the answer stays behind. */
export function packRequest({
  id,
  operation,
  caller: { assistant, address },
  token,
  key,
  versions,
  values,
  method,
  view,
  unknownParameter,
  faultyParameter,
  amenitiesAtOnce,
}: OperationRequest): TravellingRequest {
  return [
    id,
    operation,
    assistant,
    address,
    token,
    key,
    versions,
    values,
    method,
    view,
    unknownParameter,
    faultyParameter,
    amenitiesAtOnce,
  ];
}

export function unpackRequest(
  [
    id,
    operation,
    assistant,
    address,
    token,
    key,
    versions,
    values,
    method,
    view,
    unknownParameter,
    faultyParameter,
    amenitiesAtOnce,
  ]: TravellingRequest,
  client: WaitingClient,
): OperationRequest {
  return {
    id,
    operation,
    caller: { assistant, address },
    client,
    token,
    key,
    versions,
    values,
    method,
    view,
    unknownParameter,
    faultyParameter,
    amenitiesAtOnce,
  };
}

export function packAnswer({
  body,
  error,
  replayed,
  retryAfterSeconds,
  tag,
  current,
  key,
  rate: { limit, remaining, resetAt, allowed, retryAfterSeconds: waitSeconds },
}: OperationAnswer): TravellingAnswer {
  return [
    body,
    error,
    replayed,
    retryAfterSeconds,
    tag,
    current,
    key,
    limit,
    remaining,
    resetAt,
    allowed,
    waitSeconds,
  ];
}

export function unpackAnswer([
  body,
  error,
  replayed,
  retryAfterSeconds,
  tag,
  current,
  key,
  limit,
  remaining,
  resetAt,
  allowed,
  waitSeconds,
]: TravellingAnswer): OperationAnswer {
  return {
    body,
    error,
    replayed,
    retryAfterSeconds,
    tag,
    current,
    key,
    rate: { limit, remaining, resetAt, allowed, retryAfterSeconds: waitSeconds },
  };
}
