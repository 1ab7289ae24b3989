import { Output } from '../../platform/api/index.js';
import { REFRESH_TOKEN } from '../session.declarations.js';

/**
 * Response to the selection of a tenant (API-2): without a refresh token, which does not change.
 */
export class TenantTokenResponse {
  @Output.word(['Bearer'], { description: 'How to send the token: RFC 6750 section 2.1.' })
  tokenType: string;
  @Output.text({
    max: 8192,
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
    description: 'JWT (RFC 9068) for the Authorization header.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  })
  accessToken: string;
  @Output.integer({ min: 1, max: 2_147_483_647, description: 'Seconds.', example: 600 })
  expiresIn: number;
  @Output.integer({ min: 0, max: 2_147_483_647, description: 'Seconds.', example: 2_592_000 })
  refreshExpiresIn: number;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  sessionId: string;
  @Output.ulid({ nullable: true, description: 'The selected tenant.', example: null })
  tenantId: string | null;
  @Output.time({
    required: false,
    description:
      'With a tenant that requires a second factor that this sign-in lacks: time from which it is refused. Left out otherwise.',
  })
  secondFactorBy?: string;
}

/** Response to refresh and code exchange (API-2). */
export class TokenResponse extends TenantTokenResponse {
  @Output(REFRESH_TOKEN, { description: 'Opaque: its format may change.' })
  refreshToken: string;
}

/** Response to a login by password, with or without a second factor (API-2). */
export class LoginResponse extends TokenResponse {
  @Output.boolean({
    required: false,
    example: true,
    description:
      'True if attackers try this password first, so that the person should change it. Left out otherwise.',
  })
  passwordShouldChange?: boolean;
}
