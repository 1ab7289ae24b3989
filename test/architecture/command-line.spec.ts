import { COMMANDS } from '../../src/cli/commands/index.js';
import { expectWritten, table } from '../support/generated.js';

/** Commands that docs/machines.md describes, by the first part of their names. */
const OF_MACHINES = /^(?:service-account|key|platform-account|platform-key):/;

/** Commands of docs/audit-trail.md. */
const OF_AUDIT = /^audit:/;

/** Commands of docs/agents.md. */
const OF_AGENTS = /^agent:/;

/** Commands of docs/protect-your-api.md. */
const OF_APIS = /^api:/;

/** Commands of docs/partnerships.md. */
const OF_PARTNERS = /^partnership:/;

/** Commands of docs/access-on-things.md. */
const OF_REQUESTS = /^(?:access-request|assignment):/;

/** Commands of docs/sign-in-policy.md. */
const OF_STATIONS = /^(?:station|worker):/;

/** Commands of docs/saml-apps.md. */
const OF_SAML_APPS = /^saml-app:/;

/** Commands of docs/operating.md. */
const OF_BACKUPS = /^(?:backup|restore)$/;

/** Commands of docs/organization-limits.md. */
const OF_ORGANIZATIONS = /^organization:/;

const ON_OTHER_PAGES = [
  OF_MACHINES,
  OF_AUDIT,
  OF_AGENTS,
  OF_APIS,
  OF_PARTNERS,
  OF_REQUESTS,
  OF_STATIONS,
  OF_SAML_APPS,
  OF_BACKUPS,
  OF_ORGANIZATIONS,
];

it.each([
  [
    'docs/command-line.md',
    COMMANDS.filter(({ name }) => !ON_OTHER_PAGES.some((pattern) => pattern.test(name))),
  ],
  ['docs/audit-trail.md', COMMANDS.filter(({ name }) => OF_AUDIT.test(name))],
  ['docs/protect-your-api.md', COMMANDS.filter(({ name }) => OF_APIS.test(name))],
  ['docs/partnerships.md', COMMANDS.filter(({ name }) => OF_PARTNERS.test(name))],
  ['docs/access-on-things.md', COMMANDS.filter(({ name }) => OF_REQUESTS.test(name))],
  ['docs/saml-apps.md', COMMANDS.filter(({ name }) => OF_SAML_APPS.test(name))],
  ['docs/sign-in-policy.md', COMMANDS.filter(({ name }) => OF_STATIONS.test(name))],
  ['docs/agents.md', COMMANDS.filter(({ name }) => OF_AGENTS.test(name))],
  ['docs/operating.md', COMMANDS.filter(({ name }) => OF_BACKUPS.test(name))],
  ['docs/organization-limits.md', COMMANDS.filter(({ name }) => OF_ORGANIZATIONS.test(name))],
  ['docs/machines.md', COMMANDS.filter(({ name }) => OF_MACHINES.test(name))],
] as const)('%s describes every command with its options', (page, commands) => {
  expect(commands.length).toBeGreaterThan(0);
  const lines = commands.flatMap(({ name, description, options = [] }) => {
    const rows = options.map(({ flags, description: says, required = false, repeatable = false }) => [
      `\`${flags}\``,
      `${says}${repeatable ? '; can be repeated' : ''}`,
      required ? 'yes' : '',
    ]);
    return [
      `### ${name}`,
      '',
      `${description.replace(/^./, (letter) => letter.toUpperCase())}.`,
      '',
      ...(rows.length > 0 ? [...table(['option', 'meaning', 'required'], rows), ''] : []),
    ];
  });
  expectWritten(page, 'commands', lines.slice(0, -1));
});
