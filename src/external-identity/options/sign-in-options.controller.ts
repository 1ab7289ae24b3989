import { Body, Controller, Post } from '@nestjs/common';
import {
  Answers,
  CountsAsRead,
  Input,
  objectField,
  Operation,
  Output,
  Public,
} from '../../platform/api/index.js';
import { ULID_PATTERN } from '../../kernel/index.js';
import { LookResponse, SLUG_PATTERN } from '../../iam/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { ExternalSignInTag, OPTIONS_LIMIT } from '../external-identity.declarations.js';
import { SignInOptions } from './sign-in-options.js';

class SignInOptionsDto {
  @Input.text({ optional: true, max: 254, example: 'ada@example.com', description: 'Address of the person.' })
  email?: string;
  @Input.text({
    optional: true,
    min: 3,
    max: 50,
    pattern: `(?:${ULID_PATTERN})|(?:${SLUG_PATTERN})`,
    shape: 'the id of an organization or its slug',
    example: 'lovelace-logistics',
    description: 'Id or slug of an organization, in place of an address.',
  })
  organization?: string;
}

class ConnectionOptionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.word(['oidc', 'saml'] as const)
  kind: string;
  @Output.text({ max: 100, example: 'Okta' })
  name: string;
}

class SignInOptionsResponse {
  @Output.boolean({ description: 'Whether accounts can sign in by password.', example: true })
  password: boolean;
  @Output.boolean({ description: 'Whether accounts can sign in by passkey.', example: true })
  passkey: boolean;
  @Output.list({
    max: 50,
    itemMax: 40,
    pattern: /^[a-z][a-z0-9_]{1,39}$/,
    example: ['google_oauth'],
    description: 'Kinds of the providers of the deployment.',
  })
  external: readonly string[];
  @Output(objectField(() => ConnectionOptionResponse), { required: false })
  connection?: ConnectionOptionResponse;
  @Output.boolean({
    description: 'Whether its organization accepts no other way to sign in.',
    example: false,
  })
  required: boolean;
  @Output(objectField(() => LookResponse), { required: false })
  branding?: LookResponse;
}

/** Tells the page of the sign-in which ways there are. */
@ExternalSignInTag()
@Controller('api/v1/iam/auth/sign-in-options')
export class SignInOptionsController {
  constructor(private readonly options: SignInOptions) {}

  @Post()
  @Public('before the person has signed in; answers by domain, never by account')
  @StrictLimit(OPTIONS_LIMIT)
  @CountsAsRead()
  @Operation(
    'Find the ways to sign in',
    'By the domain of an address, or by an organization, whose `branding` is in the answer if it has a look of its own. The answer is the same for an address with and without an account.',
  )
  @Answers(SignInOptionsResponse)
  async findSignInOptions(@Body() question: SignInOptionsDto) {
    const { external, connection, required, look } = await this.options.find(question);
    return {
      password: true,
      passkey: true,
      external,
      ...(connection && {
        connection: { id: connection.id, kind: connection.kind, name: connection.name },
      }),
      required,
      ...(look && { branding: LookResponse.from(look) }),
    };
  }
}
