import { ApiProperty } from '@nestjs/swagger';
import type { Account } from './account.repository.js';

/** What a person sees of their own account. */
export class ProfileResponse {
  @ApiProperty({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email: string;
  @ApiProperty({ example: true })
  emailVerified: boolean;
  @ApiProperty({ example: 'Ada' })
  firstName: string;
  @ApiProperty({ type: String, nullable: true, example: 'Lovelace Logistics' })
  company: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'GB' })
  country: string | null;
  @ApiProperty({ example: false })
  marketingOptIn: boolean;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt: string;

  static from(account: Account): ProfileResponse {
    const { id, email, firstName, company, country, marketingOptIn, createdAt } = account;
    return {
      id,
      email,
      emailVerified: true,
      firstName,
      company,
      country,
      marketingOptIn,
      createdAt: createdAt.toISOString(),
    };
  }
}

/** The constant answer of an operation that may or may not have found something to do. */
export class StatusResponse {
  @ApiProperty({ example: 'accepted' })
  status: string;
}
