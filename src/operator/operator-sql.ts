/** SQL of how lists call the operator of account `a`: by name, or else by address. */
export const OPERATOR_NAME_OF_A = 'coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email)';

/**
 * Returns the SQL of whether a request `r` for a second operator counts: it has not expired, and
 * who asked is still an admin with the scope, so that the consent of an operator ends with the
 * right.
 */
export const requestCounts = (scope: string): string => `r.expires_at > now()
  AND EXISTS (SELECT 1 FROM operators o WHERE o.account_id = r.operator_id AND o.role = 'admin'
    AND (o.scopes IS NULL OR '${scope}' = ANY(o.scopes)))`;
