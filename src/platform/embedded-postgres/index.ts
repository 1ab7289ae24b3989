export { hasCluster, startEmbeddedPostgres } from './embedded-postgres.js';
