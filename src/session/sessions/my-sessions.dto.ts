import { booleanField, Input, objectListField, Output, toResponse } from '../../platform/api/index.js';
import { MAX_TRACES, type Trace, TRACE_KINDS, type TraceKind } from '../traces/trace.repository.js';
import type { SessionSummary } from './session.repository.js';

/** A client that holds a grant in the session. */
export class SessionClientResponse {
  @Output.text({ max: 100, example: 'gatehouse' })
  clientId: string;
  @Output.time()
  lastUsedAt: string;
}

export class EndedSessionsResponse {
  @Output.integer({ min: 0, max: 10_000, description: 'Number of sessions that have ended.', example: 3 })
  ended: number;
}

export class SessionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
  @Output.boolean({ description: 'Whether this is the session of the request.', example: true })
  current: boolean;
  @Output.time()
  createdAt: string;
  @Output.time()
  lastSeenAt: string;
  @Output.text({ nullable: true, max: 512, example: 'Mozilla/5.0' })
  userAgent: string | null;
  @Output.text({ nullable: true, max: 45, description: 'IPv4 or IPv6.', example: '203.0.113.7' })
  ipAddress: string | null;
  @Output(booleanField({ description: 'True if support acts as you in this session. Left out otherwise.' }), {
    required: false,
    example: true,
  })
  impersonation?: true;
  @Output(objectListField(() => SessionClientResponse, 100))
  properties: SessionClientResponse[];

  static from(session: SessionSummary, currentId: string): SessionResponse {
    const { isImpersonation, properties, ...shown } = session;
    return toResponse(SessionResponse, {
      ...shown,
      current: session.id === currentId,
      ...(isImpersonation && { impersonation: true }),
      properties: properties.map(({ clientId, lastUsedAt }) => ({
        clientId,
        lastUsedAt: new Date(lastUsedAt).toISOString(),
      })),
    });
  }
}

/** Query of the list of sessions, in addition to the page's. */
export class MySessionsQuery {
  @Input.text({
    optional: true,
    max: 100,
    description: 'Part of the name of browser or system, or beginning of the address.',
    example: 'Firefox',
  })
  query?: string;
}

export class EndInactiveSessionsDto {
  @Input.integer({
    min: 1,
    max: 365,
    description: 'Ends the sessions that no client has used for this number of days.',
    example: 30,
  })
  days: number;
}

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
