import { CursorAnswer, ListAnswer, TextAnswer, TimeAnswer, UlidAnswer } from '../../platform/http/index.js';
import type { AuditEvent } from './audit-trail.js';

export class AuditEventResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 100, pattern: '^[a-z.-]+$', example: 'member.removed' })
  action: string;
  @UlidAnswer({ description: 'Who did it, or whose account it was.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  actorId: string;
  @UlidAnswer({ nullable: true, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string | null;
  @TextAnswer({
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    nullable: true,
    description: 'What it happened to, as <module>/<collection>/<id>.',
    example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  subject: string | null;
  @TimeAnswer()
  createdAt: string;

  static from({ createdAt, ...event }: AuditEvent): AuditEventResponse {
    return { ...event, createdAt: createdAt.toISOString() };
  }
}

export class AuditEventListResponse {
  @ListAnswer(() => AuditEventResponse, 100)
  items: AuditEventResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}
