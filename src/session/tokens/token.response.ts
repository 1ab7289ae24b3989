import { IntegerAnswer, TextAnswer, UlidAnswer, WordAnswer } from '../../platform/api/index.js';

/**
 * Response to the selection of a tenant (API-2): without a refresh token, which does not change.
 */
export class TenantTokenResponse {
  @WordAnswer(['Bearer'])
  tokenType: string;
  @TextAnswer({
    max: 8192,
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
    description: 'JWT (RFC 9068) for the Authorization header.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  })
  accessToken: string;
  @IntegerAnswer({ min: 1, max: 2_147_483_647, description: 'Seconds.', example: 600 })
  expiresIn: number;
  @IntegerAnswer({ min: 0, max: 2_147_483_647, description: 'Seconds.', example: 2_592_000 })
  refreshExpiresIn: number;
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  sessionId: string;
  @UlidAnswer({ nullable: true, description: 'The selected tenant.', example: null })
  tenantId: string | null;
}

/** Response to login, refresh and code exchange (API-2). */
export class TokenResponse extends TenantTokenResponse {
  @TextAnswer({
    max: 512,
    pattern: '^[!-~]+$',
    description: 'Opaque: its format may change.',
    example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  refreshToken: string;
}
