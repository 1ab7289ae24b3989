import {
  BooleanAnswer,
  CursorAnswer,
  ListAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
} from '../../platform/api/index.js';
import type { SessionSummary } from './session.repository.js';

/** A client that holds a grant in the session. */
export class SessionClientResponse {
  @TextAnswer({ max: 100, example: 'gatehouse' })
  clientId: string;
  @TimeAnswer()
  lastUsedAt: string;
}

export class SessionResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
  @BooleanAnswer({ description: 'Whether this is the session of the request.', example: true })
  current: boolean;
  @TimeAnswer()
  createdAt: string;
  @TimeAnswer()
  lastSeenAt: string;
  @TextAnswer({ max: 512, nullable: true, example: 'Mozilla/5.0' })
  userAgent: string | null;
  @TextAnswer({ max: 45, nullable: true, description: 'IPv4 or IPv6.', example: '203.0.113.7' })
  ipAddress: string | null;
  @ListAnswer(() => SessionClientResponse, 100)
  properties: SessionClientResponse[];

  static from(session: SessionSummary, currentId: string): SessionResponse {
    const { id, createdAt, lastSeenAt, userAgent, ipAddress, properties } = session;
    return {
      id,
      userAgent,
      ipAddress,
      current: id === currentId,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      properties: properties.map(({ clientId, lastUsedAt }) => ({
        clientId,
        lastUsedAt: new Date(lastUsedAt).toISOString(),
      })),
    };
  }
}

export class SessionListResponse {
  @ListAnswer(() => SessionResponse, 100)
  items: SessionResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}
