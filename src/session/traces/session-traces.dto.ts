import { objectListField, Output } from '../../platform/api/index.js';
import { MAX_TRACES, type Trace, TRACE_KINDS, type TraceKind } from './trace.repository.js';

/** Something that a session made. */
export class SessionTraceResponse {
  @Output.word(TRACE_KINDS, { description: 'What it is.', example: 'personal-key' })
  kind: TraceKind;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.text({
    nullable: true,
    max: 512,
    description: 'Its name; of an identity the provider.',
    example: 'Reports',
  })
  name: string | null;
  @Output.time()
  createdAt: string;
  @Output.ulid({ description: 'Session that made it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  sessionId: string;
}

export class SessionTracesResponse {
  @Output(objectListField(() => SessionTraceResponse, MAX_TRACES))
  items: SessionTraceResponse[];

  static from(traces: readonly Trace[]): SessionTracesResponse {
    return { items: traces.map((trace) => ({ ...trace, createdAt: trace.createdAt.toISOString() })) };
  }
}
