import { readFile } from 'node:fs/promises';
import type { Verified } from '../../audit/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { inCallersFolder } from '../options.js';

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
      { flags: '--anchors <path>', description: 'anchors that were kept outside the database, one a line' },
    ],
    hasManyRows: true,
    run: async ({ auditVerification }, { organization, anchors }, report) => {
      const text = anchors === undefined ? '' : await readFile(inCallersFolder(String(anchors)), 'utf8');
      const copies = text.split(/\s+/).filter((line) => line !== '');
      return auditVerification.verify({ only: organization as TenantId | undefined, copies }, (entries) =>
        report(`Verified ${entries} entries ...`),
      );
    },
    fails: (result) => (result as Verified).broken !== null,
  },
];
