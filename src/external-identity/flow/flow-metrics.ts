import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counts, type Tally } from '../../platform/counts/index.js';
import { type Connection, METADATA_EXPIRED } from '../../connection/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { type ErrorReason, type Kind, SIGN_IN_ERRORS } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { UnusableState } from './state/state-store.js';

const REASONS = Object.keys(SIGN_IN_ERRORS) as ErrorReason[];

const ENDS = [
  'signed_in',
  'code_issued',
  'link_code_issued',
  'tested',
  'unusable_state',
  ...REASONS,
] as const;
type End = (typeof ENDS)[number];

/** Ends of sign-ins by a connection, as its administrators learn of them. */
export const OF_CONNECTIONS = ['signed_in', METADATA_EXPIRED, ...REASONS] as const;

/** Counts started flows, and ended flows by outcome. */
@Injectable()
export class FlowMetrics implements OnModuleInit {
  private starts: Count<{ kind: readonly Kind[] }>;
  private readonly refusals: Tally<ErrorReason | typeof METADATA_EXPIRED>;
  private readonly ofConnections: Tally<(typeof OF_CONNECTIONS)[number]>;
  private ends: Count<{ kind: readonly Kind[]; outcome: typeof ENDS }>;

  constructor(
    private readonly metrics: Metrics,
    private readonly providers: ProviderRegistry,
    counts: Counts,
  ) {
    this.refusals = counts.tally({ name: 'sign-in-refused', values: [...REASONS, METADATA_EXPIRED] });
    this.ofConnections = counts.tally({ name: 'connection-sign-in', values: OF_CONNECTIONS });
  }

  /** Registers the counters once the providers of all modules are registered. */
  onModuleInit(): void {
    const { kinds } = this.providers;
    this.starts = this.metrics.counter({
      name: 'gatehouse_external_sign_ins_started_total',
      help: 'External sign-ins started, by kind.',
      labels: { kind: kinds },
    });
    this.ends = this.metrics.counter({
      name: 'gatehouse_external_sign_ins_total',
      help: 'External sign-ins that reached the callback, by kind and outcome.',
      labels: { kind: kinds, outcome: ENDS },
    });
  }

  started(kind: Kind): void {
    this.starts.inc({ kind });
  }

  ended(kind: Kind, outcome: End): void {
    this.ends.inc({ kind, outcome });
  }

  /** Counts a sign-in that a provider of the platform could not complete. */
  refused(reason: ErrorReason): void {
    this.refusals.count(reason);
  }

  /** Counts a sign-in by a connection, or why it was refused. */
  endedBy({ tenantId, id }: Pick<Connection, 'tenantId' | 'id'>, code: string): void {
    const end = OF_CONNECTIONS.find((one) => one === code);
    if (end === undefined) return;
    this.ofConnections.count(end, { tenantId, source: id });
    if (end !== 'signed_in') this.refusals.count(end, { tenantId });
  }

  /**
   * Runs work of a callback and counts it as `unusable_state` if it throws {@link UnusableState}.
   */
  async counted<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnusableState) this.ended(kind, 'unusable_state');
      throw error;
    }
  }
}

/** Returns the outcome of a flow by the fragment for the page that started it. */
export function wordOf(fragment: Readonly<Record<string, string>>): End {
  if (fragment['test'] !== undefined) return 'tested';
  if (fragment['error'] !== undefined) return fragment['error'] as ErrorReason;
  if (fragment['link_code'] !== undefined) return 'link_code_issued';
  return fragment['code'] !== undefined ? 'code_issued' : 'signed_in';
}
