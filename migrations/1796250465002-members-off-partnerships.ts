import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Takes a person whose membership was deleted off the partnerships of that organization, at the
 * commit: the service has done so by then, and recorded it; a replica of an earlier build has not.
 */
export class MembersOffPartnerships1796250465002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE FUNCTION take_off_partnerships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM partner_people pp USING partnerships p
  WHERE pp.user_id = OLD.user_id AND p.id = pp.partnership_id AND p.partner_id = OLD.tenant_id
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = OLD.tenant_id AND m.user_id = OLD.user_id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER members_take_off_partnerships AFTER DELETE ON members
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION take_off_partnerships();
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TRIGGER members_take_off_partnerships ON members; DROP FUNCTION take_off_partnerships();',
    );
  }
}
