import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key begins with the tenant, so that every row is found by way of its tenant alone. */
export class CreateShipments1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shipments (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT shipments_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        state text NOT NULL CONSTRAINT shipments_state_known CHECK (state IN ('planned', 'dispatched', 'delivered')),
        contents text NOT NULL DEFAULT 'Goods',
        speed text NOT NULL DEFAULT 'standard' CONSTRAINT shipments_speed_known CHECK (speed IN ('standard', 'express')),
        weight double precision NOT NULL DEFAULT 1,
        pickup_on date,
        marks text[] NOT NULL DEFAULT '{}',
        CONSTRAINT shipments_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query('CREATE INDEX shipments_state_idx ON shipments (tenant_id, state, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shipments');
  }
}
