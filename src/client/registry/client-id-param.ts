import { ApiParam } from '../../platform/api/index.js';
import { CLIENT_ID } from './client.fields.js';

/** Documents `:clientId` of a path: the name that the client was registered with, not a ULID. */
export const ClientIdParam = () => {
  const { maxLength, pattern, example } = CLIENT_ID.schema;
  return ApiParam({
    name: 'clientId',
    description: 'Client id of the satellite.',
    schema: { type: 'string', maxLength, pattern: String(pattern), examples: [example] },
  });
};
