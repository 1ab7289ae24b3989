import { emailField, Input } from '../../../platform/api/index.js';
import { INTENTS, LINK_CONNECTION_ID } from '../setup-link.fields.js';
import type { SetupIntent } from '../setup-link.entity.js';

export class CreateSetupLinkDto {
  @Input(INTENTS)
  intents: SetupIntent[];

  @Input(LINK_CONNECTION_ID, { optional: true, nullable: true, example: null })
  connectionId?: string | null;

  @Input(emailField({ description: 'Address to mail the link to.' }), { optional: true })
  email?: string;
}
