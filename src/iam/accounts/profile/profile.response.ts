import {
  BooleanAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from '../../../platform/api/index.js';
import type { Profile } from '../account.repository.js';

/** What a person sees of their own account. */
export class ProfileResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({
    max: 254,
    format: 'email',
    nullable: true,
    description: 'null for who signs in elsewhere and has proven none here.',
    example: 'ada@example.com',
  })
  email: string | null;
  @BooleanAnswer({
    description: 'Whether there is an address: one in an account has been proven.',
    example: true,
  })
  emailVerified: boolean;
  @TextAnswer({ max: 100, nullable: true, example: 'Ada' })
  firstName: string | null;
  @TextAnswer({ max: 200, nullable: true, example: 'Lovelace Logistics' })
  company: string | null;
  @TextAnswer({ max: 100, nullable: true, example: 'GB' })
  country: string | null;
  @BooleanAnswer({ description: 'Consent to marketing communications.', example: false })
  marketingOptIn: boolean;
  @TimeAnswer()
  createdAt: string;

  static from(profile: Profile): ProfileResponse {
    const { id, email, firstName, company, country, marketingOptIn, createdAt } = profile;
    return {
      id,
      email,
      emailVerified: email !== null,
      firstName,
      company,
      country,
      marketingOptIn,
      createdAt: createdAt.toISOString(),
    };
  }
}

/** The constant answer of an operation that may or may not have found something to do. */
export class AcceptedResponse {
  @WordAnswer(['accepted'])
  status: 'accepted';
}

/** The constant answer to a registration, whether or not the address is taken. */
export class VerificationRequiredResponse {
  @WordAnswer(['verification_required'])
  status: 'verification_required';
}
