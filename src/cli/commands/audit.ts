import type { Verified } from '../../audit/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Command } from '../command.js';

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    name: 'audit:verify',
    description:
      'verify that the audit trail is complete and unchanged; ends with 1 and names the first broken entry if it is not',
    options: [
      {
        flags: '--organization <id>',
        description: "only this organization's; by default all, and the platform's",
      },
    ],
    hasManyRows: true,
    run: ({ auditVerification }, { organization }, report) =>
      auditVerification.verify(organization as TenantId | undefined, (entries) =>
        report(`Verified ${entries} entries ...`),
      ),
    fails: (result) => (result as Verified).broken !== null,
  },
];
