import { text } from '../../messages/index.ts';
import { Checkbox, CheckboxGroup } from '../../ui/checkboxes.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import type { Role } from './organization-queries.ts';

interface Props {
  readonly roles: readonly Role[];
  readonly chosen?: readonly string[];
}

/** Selects the roles of a member. */
export function RoleChoice({ roles, chosen = ['member'] }: Props) {
  return (
    <CheckboxGroup
      label={text('roles')}
      name="roles"
      defaultValue={[...chosen]}
      missing={text('roles.choose')}
      isRequired
    >
      {roles.map((role) => (
        <Checkbox key={role.key} value={role.key}>
          {nameOfRole(role)}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

/**
 * Lists the names of roles. While the organization's roles are not read, those that it has made
 * itself are left out: their keys mean nothing to people.
 * @param roles null for roles of another organization, which cannot be read
 */
export function roleNames(roles: readonly Role[] | null, keys: readonly string[]): string[] {
  const names = keys.map((key) => nameOfRole(roles?.find((role) => role.key === key) ?? { key }));
  return roles?.length === 0 ? names.filter((name) => !keys.includes(name)) : names;
}
