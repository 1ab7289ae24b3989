import { ApiProperty } from '@nestjs/swagger';
import type { SessionSummary } from './session.repository.js';

export class PropertyResponse {
  @ApiProperty({ example: 'gatehouse' })
  clientId: string;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  lastUsedAt: string;
}

export class SessionResponse {
  @ApiProperty({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
  @ApiProperty({ description: 'Whether this is the session of the request.', example: true })
  current: boolean;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt: string;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  lastSeenAt: string;
  @ApiProperty({ type: String, nullable: true, example: 'Mozilla/5.0' })
  userAgent: string | null;
  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7' })
  ipAddress: string | null;
  @ApiProperty({ type: [PropertyResponse] })
  properties: PropertyResponse[];

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
  @ApiProperty({ type: [SessionResponse] })
  items: SessionResponse[];
  @ApiProperty({ type: String, nullable: true, example: null })
  nextCursor: string | null;
}
