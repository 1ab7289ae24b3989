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

/** Joins the names of roles. */
export function roleNames(roles: readonly Role[], keys: readonly string[]): string[] {
  return keys.map((key) => nameOfRole(roles.find((role) => role.key === key) ?? { key }));
}
