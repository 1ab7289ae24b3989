export { backUpEmbedded, restoreEmbedded } from './backup.js';
export { hasCluster, startEmbeddedPostgres } from './embedded-postgres.js';
