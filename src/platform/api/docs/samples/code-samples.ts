import { clientSample } from './client.js';
import { curlSample } from './curl.js';
import type { Sampled } from './sampled.js';

/** One sample of `x-codeSamples`, an extension that tools for API references read. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Statements with the client's own methods, by operation id. */
export type ClientSamples = Readonly<Record<string, string>>;

/** Returns the samples of an operation: by curl and, if programs call it, by the client. */
export function codeSamplesOf(sampled: Sampled, own: ClientSamples): CodeSample[] {
  const client = clientSample(sampled, own[sampled.operation.operationId ?? '']);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(sampled) },
    ...(client === null ? [] : [{ lang: 'TypeScript', label: '@gatehouse/client', source: client }]),
  ];
}
