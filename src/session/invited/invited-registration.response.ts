import { Output, ulidField } from '../../platform/api/index.js';
import { TokenResponse } from '../tokens/token.response.js';

export class InvitedRegistrationResponse extends TokenResponse {
  @Output(
    ulidField({
      description: 'Organization that the person joined. Select it to get a token for it.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    }),
  )
  joinedTenantId: string;
}
