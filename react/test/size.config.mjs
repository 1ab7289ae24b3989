/** Bundles the package alone, as an app that has React and the client gets it. */
export default {
  build: {
    lib: { entry: 'react/dist/index.js', formats: ['es'], fileName: 'bundle' },
    rolldownOptions: { external: [/^react/, '@gatehouse/client'], checks: { moduleLevelDirective: false } },
    minify: true,
  },
};
