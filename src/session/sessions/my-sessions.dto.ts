import {
  booleanField,
  Input,
  integerField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
} from '../../platform/api/index.js';
import type { SessionSummary } from './session.repository.js';

/** A client that holds a grant in the session. */
export class SessionClientResponse {
  @Output(textField({ max: 100, example: 'gatehouse' }))
  clientId: string;
  @Output(timeField())
  lastUsedAt: string;
}

export class EndedSessionsResponse {
  @Output(
    integerField({ min: 0, max: 10_000, description: 'Number of sessions that have ended.', example: 3 }),
  )
  ended: number;
}

export class SessionResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  id: string;
  @Output(booleanField({ description: 'Whether this is the session of the request.', example: true }))
  current: boolean;
  @Output(timeField())
  createdAt: string;
  @Output(timeField())
  lastSeenAt: string;
  @Output(textField({ max: 512, example: 'Mozilla/5.0' }), { nullable: true })
  userAgent: string | null;
  @Output(textField({ max: 45, description: 'IPv4 or IPv6.', example: '203.0.113.7' }), { nullable: true })
  ipAddress: string | null;
  @Output(booleanField({ description: 'True if support acts as you in this session. Left out otherwise.' }), {
    required: false,
    example: true,
  })
  impersonation?: true;
  @Output(objectListField(() => SessionClientResponse, 100))
  properties: SessionClientResponse[];

  static from(session: SessionSummary, currentId: string): SessionResponse {
    const { id, createdAt, lastSeenAt, userAgent, ipAddress, properties, isImpersonation } = session;
    return {
      id,
      userAgent,
      ipAddress,
      current: id === currentId,
      ...(isImpersonation && { impersonation: true }),
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      properties: properties.map(({ clientId, lastUsedAt }) => ({
        clientId,
        lastUsedAt: new Date(lastUsedAt).toISOString(),
      })),
    };
  }
}

/** Query of the list of sessions, in addition to the page's. */
export class MySessionsQuery {
  @Input(
    textField({
      max: 100,
      description: 'Part of the name of browser or system, or beginning of the address.',
      example: 'Firefox',
    }),
    { optional: true },
  )
  query?: string;
}

export class EndInactiveSessionsDto {
  @Input(
    integerField({
      min: 1,
      max: 365,
      description: 'Ends the sessions that no client has used for this number of days.',
      example: 30,
    }),
  )
  days: number;
}
