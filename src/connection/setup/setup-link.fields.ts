import { listField, textField, timeField, ulidField } from '../../platform/api/index.js';
import { SETUP_INTENTS } from './setup-link.entity.js';

export const SETUP_LINK_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' });

export const INTENTS = listField({
  min: 1,
  max: SETUP_INTENTS.length,
  itemMax: 20,
  pattern: /^(?:sso|domain|directory|certificate)$/,
  message: `must be one of ${SETUP_INTENTS.join(', ')}`,
  example: ['domain', 'sso'],
  description:
    'What the link is for. `sso`: settings of one connection, and test sign-ins. `domain`: domains and their verification. `directory`: one directory and its tokens. `certificate`: certificates of the connection; new ones of an active connection wait for an owner.',
});

export const LINK_CONNECTION_ID = ulidField({
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  description: 'The only connection that the link reaches. Left out: the one that it creates.',
});

export const SETUP_URL = textField({
  max: 500,
  format: 'uri',
  example: 'https://gatehouse.example/setup/gh_setup_4fJ0qLx81Z_7GdkP0sYwRzq2VnB5mXc9JtLh3Ee6Fa1_0Q2w3E',
  description: 'The link. Cannot be read again.',
});

export const LINK_EXPIRES_AT = timeField({ description: 'Time from which the link is refused.' });

export const ORGANIZATION_NAME = textField({ max: 200, example: 'Lovelace Logistics' });
