import { Injectable } from '@nestjs/common';
import { Metrics, type Count } from '../../platform/observability/index.js';
import { KINDS, type Kind } from '../providers/provider.js';
import { SIGN_IN_ERRORS, type ErrorReason } from './sign-in-error.js';

const ENDS = [
  'signed_in',
  'code_issued',
  'linked',
  'unusable_state',
  ...(Object.keys(SIGN_IN_ERRORS) as ErrorReason[]),
] as const;
type End = (typeof ENDS)[number];

/** Counts flows: how many begin, and what becomes of them. */
@Injectable()
export class FlowMetrics {
  private readonly starts: Count<{ kind: typeof KINDS }>;
  private readonly ends: Count<{ kind: typeof KINDS; outcome: typeof ENDS }>;

  constructor(metrics: Metrics) {
    this.starts = metrics.counter({
      name: 'gatehouse_external_sign_ins_started_total',
      help: 'Sign-ins elsewhere that were begun, by kind.',
      labels: { kind: KINDS },
    });
    this.ends = metrics.counter({
      name: 'gatehouse_external_sign_ins_total',
      help: 'Sign-ins elsewhere that came back, by kind and outcome.',
      labels: { kind: KINDS, outcome: ENDS },
    });
  }

  started(kind: Kind): void {
    this.starts.inc({ kind });
  }

  ended(kind: Kind, outcome: End): void {
    this.ends.inc({ kind, outcome });
  }
}

/** What the fragment for the returning page says, in one word. */
export function wordOf(fragment: Readonly<Record<string, string>>): End {
  if (fragment['error'] !== undefined) return fragment['error'] as ErrorReason;
  if (fragment['linked'] !== undefined) return 'linked';
  return fragment['code'] !== undefined ? 'code_issued' : 'signed_in';
}
