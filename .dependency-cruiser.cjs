/** The arrows of ARCHITECTURE.md: imports go down only, and modules meet at their index. */
const above = {
  platform: 'ability|iam|session|satellite|external-identity|access|cli',
  ability: 'iam|session|satellite|external-identity|access|cli',
  iam: 'session|satellite|external-identity|access|cli',
  session: 'satellite|external-identity|access|cli',
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(above).map(([floor, higher]) => ({
      name: `${floor}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/${floor}/` },
      to: { path: `^src/(${higher})/` },
    })),
    {
      name: 'modules-meet-at-their-index',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/(ability|iam|session|satellite|external-identity|access)/',
        pathNot: ['^src/[^/]+/index\\.ts$', '^src/$1/'],
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node'] },
  },
};
