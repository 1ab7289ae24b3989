import {
  ApiProperty,
  BooleanAnswer,
  CursorAnswer,
  IntegerAnswer,
  ListAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
} from '../../platform/api/index.js';
import type { AuditEvent } from './audit-trail.js';

export class SignInFailuresResponse {
  @IntegerAnswer({
    min: 1,
    max: 2_147_483_647,
    description: 'Wrong passwords in this series so far.',
    example: 10,
  })
  count: number;
  @TimeAnswer()
  firstAt: string;
  @TimeAnswer()
  lastAt: string;
  @TextAnswer({
    max: 32,
    pattern: '^[0-9a-f]{32}$',
    nullable: true,
    description:
      'Keyed hash of the network of the attempts: the same for the same network, without its address. null: all networks together.',
    example: '5d41402abc4b2a76b9719d911017c592',
  })
  network: string | null;
  @BooleanAnswer({ description: 'Whether the series has ended.', example: false })
  ended: boolean;
}

export class AuditEventResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 100, pattern: '^[a-z.-]+$', example: 'member.removed' })
  action: string;
  @UlidAnswer({
    description: 'Person who did it, or whose account it was done to.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
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

  /** For `account.sign-in-failed` only. */
  @ApiProperty({ type: () => SignInFailuresResponse, required: false })
  details?: SignInFailuresResponse;

  static from({ createdAt, details, ...event }: AuditEvent): AuditEventResponse {
    return {
      ...event,
      createdAt: createdAt.toISOString(),
      ...(details && { details }),
    };
  }
}

export class AuditEventListResponse {
  @ListAnswer(() => AuditEventResponse, 100)
  items: AuditEventResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}
