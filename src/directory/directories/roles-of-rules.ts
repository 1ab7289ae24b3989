/** Returns the ids of the roles that the rules of a directory give, each once. */
export const rolesOfRules = (directory: string): string =>
  `ARRAY(SELECT DISTINCT role_id FROM directory_rules r CROSS JOIN unnest(r.role_ids) AS given (role_id)
    WHERE r.tenant_id = ${directory}.tenant_id AND r.directory_id = ${directory}.id)`;
