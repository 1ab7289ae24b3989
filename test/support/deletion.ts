import type { TestApp } from './test-app.js';

/**
 * Starts the deletion of an organization that is not archived, as after a release that knows no
 * deletion has restored it. Caches learn of it when their entries expire.
 */
export async function startDeletion(app: TestApp, tenantId: string): Promise<void> {
  await app.sql(
    `UPDATE tenants SET deletes_at = now(), deletion_started_at = now(), deletion_requested_by = id WHERE id = $1`,
    [tenantId],
  );
}
