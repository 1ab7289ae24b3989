import { TICKET } from '../../../iam/index.js';
import { Input, textField, ulidField } from '../../../platform/api/index.js';

export class StartImpersonationDto {
  @Input(ulidField({ description: 'The person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  userId: string;
  @Input(ulidField({ description: 'Organization of the person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' }))
  tenantId: string;
  @Input(
    textField({
      min: 1,
      max: 500,
      description: 'Why. The person can read it.',
      example: 'The order list is empty.',
    }),
  )
  reason: string;
  @Input(TICKET, { optional: true })
  ticket?: string;
}
