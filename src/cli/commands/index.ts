import type { Command } from '../command.js';
import { ACCOUNT_COMMANDS } from './accounts.js';
import { AGENT_COMMANDS } from './agents.js';
import { API_COMMANDS } from './apis.js';
import { AUDIT_COMMANDS } from './audit.js';
import { AUTHENTICATOR_COMMANDS } from './authenticators.js';
import { EVENT_COMMANDS } from './events.js';
import { OPERATOR_COMMANDS } from './operators.js';
import { ORGANIZATION_COMMANDS } from './organizations.js';
import { PARTNERSHIP_COMMANDS } from './partnerships.js';
import { PERMISSION_COMMANDS } from './permissions.js';
import { PLATFORM_ACCOUNT_COMMANDS } from './platform-accounts.js';
import { PLATFORM_COMMANDS } from './platform.js';
import { SAML_APP_COMMANDS } from './saml-apps.js';
import { SATELLITE_COMMANDS } from './satellites.js';
import { SERVICE_ACCOUNT_COMMANDS } from './service-accounts.js';
import { STATION_COMMANDS } from './stations.js';

/** Commands that belong together, under a heading of the help. */
interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The groups, in the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  { title: 'Service', commands: PLATFORM_COMMANDS },
  { title: 'Operators', commands: [...OPERATOR_COMMANDS, ...PLATFORM_ACCOUNT_COMMANDS] },
  { title: 'People', commands: [...ACCOUNT_COMMANDS, ...AUTHENTICATOR_COMMANDS] },
  {
    title: 'Organizations',
    commands: [
      ...ORGANIZATION_COMMANDS,
      ...PARTNERSHIP_COMMANDS,
      ...AGENT_COMMANDS,
      ...STATION_COMMANDS,
      ...SERVICE_ACCOUNT_COMMANDS,
    ],
  },
  {
    title: 'Clients and APIs',
    commands: [...SATELLITE_COMMANDS, ...SAML_APP_COMMANDS, ...API_COMMANDS, ...PERMISSION_COMMANDS],
  },
  { title: 'Events and audit trail', commands: [...EVENT_COMMANDS, ...AUDIT_COMMANDS] },
];

/** Every command that works on the database. */
export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands);
