import { Input, Output } from '../../platform/api/index.js';
import { TICKET } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { ActingToken } from '../../session/index.js';

/** Token of an operator who acts as a person. It ends with the session. */
export class ImpersonationResponse {
  @Output.ulid({ description: 'The impersonation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  id: string;
  @Output.word(['Bearer'], { description: 'How to send the token: RFC 6750 section 2.1.' })
  tokenType: string;
  @Output.text({
    max: 8192,
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
    description: 'JWT (RFC 9068) for the Authorization header; `act` names the operator.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  })
  accessToken: string;
  @Output.integer({ min: 0, max: 1_800, description: 'Seconds. There is no refresh token.', example: 1_800 })
  expiresIn: number;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  sessionId: string;
  @Output.ulid({ description: 'The only organization.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string;
  @Output(TICKET, { nullable: true })
  ticket: string | null;

  static from(
    { sessionId, ...token }: ActingToken,
    { tenantId, ticket }: { readonly tenantId: TenantId; readonly ticket: string | null },
  ): ImpersonationResponse {
    return { id: sessionId, tokenType: 'Bearer', ...token, sessionId, tenantId, ticket };
  }
}

export class StartImpersonationDto {
  @Input.ulid({ description: 'The person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;
  @Input.ulid({ description: 'Organization of the person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string;
  @Input.text({
    min: 1,
    max: 500,
    description: 'Why. The person can read it.',
    example: 'The order list is empty.',
  })
  reason: string;
  @Input(TICKET, { optional: true })
  ticket?: string;
}
