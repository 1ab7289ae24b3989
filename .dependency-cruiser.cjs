/** The arrows of ARCHITECTURE.md: imports go down only, and modules meet at their index. */

const belowSession = [
  'kernel',
  'platform',
  'ability',
  'iam',
  'authenticator',
  'machine',
  'client',
  'connection',
];
const belowSignIn = [...belowSession, 'session'];
const belowTheTop = [
  ...belowSignIn,
  'frontline',
  'openid',
  'saml-provider',
  'directory',
  'satellite',
  'external-identity',
  'webhook',
  'audit',
];

/**
 * Floors that each floor may import. A module that is not listed, such as `cli` or one of another
 * team, is above all of them.
 */
const floors = {
  kernel: [],
  platform: ['kernel'],
  ability: ['kernel', 'platform'],
  iam: ['kernel', 'platform', 'ability'],
  authenticator: ['kernel', 'platform', 'ability', 'iam'],
  machine: ['kernel', 'platform', 'ability', 'iam'],
  client: ['kernel', 'platform', 'ability', 'iam', 'machine'],
  session: belowSession,
  openid: [...belowSignIn, 'directory', 'external-identity', 'frontline'],
  'saml-provider': [...belowSignIn, 'directory', 'external-identity', 'frontline', 'openid'],
  satellite: belowSignIn,
  audit: belowSignIn,
  webhook: belowSignIn,
  connection: ['kernel', 'platform', 'ability', 'iam'],
  frontline: belowSignIn,
  directory: [...belowSignIn, 'frontline'],
  'external-identity': belowSignIn,
  operator: belowTheTop,
  overview: belowTheTop,
  profile: belowSignIn,
  'sign-in-policy': [...belowSignIn, 'external-identity'],
  access: belowTheTop,
  portal: belowTheTop,
  locales: ['kernel', 'platform'],
  extras: [...belowSignIn, 'openid'],
};

/** Rooms of the platform, from the lowest to the highest: each imports those before it. */
const platformRooms = [
  'config',
  'memory',
  'processes',
  'discovery',
  'messages',
  'errors',
  'crypto',
  'web',
  'api',
  'validation',
  'observability',
  'database',
  'embedded-postgres',
  'live',
  'jobs',
  'cleanup',
  'budgets',
  'lifecycle',
  'events',
  'counts',
  'delivery',
  'mail',
  'outbound',
  'rate-limit',
  'health',
];

const INDEX = '^src/(platform/)?[^/]+/index\\.ts$';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(floors).map(([floor, below]) => ({
      name: `${floor}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/${floor}/` },
      // The declarations of a library belong to no floor.
      to: {
        path: '^(src|examples)/',
        pathNot: [`^src/(${[floor, ...below].join('|')})/`, '^src/xmldom\\.d\\.ts$'],
      },
    })),
    ...platformRooms.map((room, index) => ({
      name: `platform-${room}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/platform/${room}/` },
      to: {
        path: '^src/platform/',
        pathNot: `^src/platform/(${platformRooms.slice(0, index + 1).join('|')})/`,
      },
    })),
    {
      name: 'platform-rooms-are-listed',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: `^src/platform/(${platformRooms.join('|')})/` },
      to: {},
    },
    {
      name: 'platform-rooms-meet-at-their-index',
      severity: 'error',
      from: { path: '^src/platform/([^/]+)/' },
      to: { path: '^src/platform/[^/]+/', pathNot: [INDEX, '^src/platform/$1/'] },
    },
    {
      name: 'modules-meet-at-their-index',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: [INDEX, '^src/$1/'] },
    },
    {
      name: 'teams-import-index-files-alone',
      comment: 'docs/extending.md: what the example needs is all that a module of another team needs.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^src/', pathNot: [INDEX, '^src/index\\.ts$'] },
    },
    {
      name: 'the-service-runs-without-its-test-kit',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'the-portal-speaks-http-alone',
      comment:
        'What runs in a browser shares nothing with the service but the names of its pages, languages and devices, and the shapes of icons.',
      severity: 'error',
      from: { path: '^portal/' },
      to: {
        path: '^(src|migrations|examples)/',
        pathNot:
          '^src/(portal/(page-paths|shapes)|platform/messages/locales|iam/organizations/branding/accent|session/sign-in-notices/device-name)\\.ts$',
      },
    },
    {
      name: 'the-client-is-a-package-of-its-own',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { path: '^(src|migrations|examples|test|scripts)/' },
    },
    {
      name: 'the-hooks-need-react-and-the-client-alone',
      severity: 'error',
      from: { path: '^react/src/' },
      to: { pathNot: ['^react/src/', '^client/', '^node_modules/(@types/)?react/'] },
    },
    {
      name: 'browsers-get-neither-jose-nor-nest',
      severity: 'error',
      from: { path: '^client/src/[^/]+$' },
      to: { path: ['^client/src/(verifier|nestjs)/', 'node_modules/(jose|@nestjs)/'] },
    },
    {
      name: 'heavy-packages-are-imported-on-demand',
      comment:
        'Reading files takes most of the start. Packages that few deployments or requests need are imported on first use.',
      severity: 'error',
      from: {
        path: '^(src|examples)/',
        pathNot:
          '^src/platform/(observability/open-telemetry|rate-limit/buckets/redis-client|outbound/host-pool)\\.ts$',
      },
      to: {
        path: 'node_modules/(@nestjs/swagger|@node-saml|@opentelemetry|graphile-worker|ioredis-6|jose|marked|nodemailer|openid-client|undici|xml-crypto)/',
        dynamic: false,
        dependencyTypesNot: ['type-only', 'type-import'],
      },
    },
    {
      name: 'examples-are-not-shipped',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^examples/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node'] },
  },
};
