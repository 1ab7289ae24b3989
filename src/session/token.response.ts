import { ApiProperty } from '@nestjs/swagger';

/** Contract section 2. */
export class TokenResponse {
  @ApiProperty({ example: 'Bearer' })
  tokenType: string;
  @ApiProperty({ example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl' })
  accessToken: string;
  @ApiProperty({ type: 'integer', description: 'Seconds.', example: 600 })
  expiresIn: number;
  @ApiProperty({
    description: 'Opaque.',
    example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  refreshToken: string;
  @ApiProperty({ type: 'integer', description: 'Seconds.', example: 2592000 })
  refreshExpiresIn: number;
  @ApiProperty({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  sessionId: string;
  @ApiProperty({ type: String, nullable: true, example: null })
  tenantId: string | null;
}
