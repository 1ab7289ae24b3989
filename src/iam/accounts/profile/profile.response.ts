import {
  BooleanAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from '../../../platform/api/index.js';
import type { Profile } from '../account.repository.js';

/** Account as its owner sees it. */
export class ProfileResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({
    max: 254,
    format: 'email',
    nullable: true,
    description: 'null for an account that signs in by an external provider and has no verified address.',
    example: 'ada@example.com',
  })
  email: string | null;
  @BooleanAnswer({
    description: 'Whether the account has an address. The address of an account is always verified.',
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

/** Constant response of an operation that must not tell whether it had an effect. */
export class AcceptedResponse {
  @WordAnswer(['accepted'])
  status: 'accepted';
}

/** Constant response to a registration, whether or not the address has an account. */
export class VerificationRequiredResponse {
  @WordAnswer(['verification_required'])
  status: 'verification_required';
}
