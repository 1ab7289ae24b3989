import { text } from '../../messages/index.ts';
import { Checkbox, CheckboxGroup } from '../../ui/checkboxes.tsx';
import type { Role } from './organization-queries.ts';

interface Props {
  readonly all: readonly Role[];
  readonly chosen: readonly string[];
  readonly label?: string;
}

/** All permissions of the organization: an owner holds them all. */
const scopesOf = (roles: readonly Role[]): string[] =>
  [...new Set(roles.flatMap(({ scopes }) => scopes))].toSorted();

/** Selects permissions. */
export function ScopeChoice({ all, chosen, label = text('permissions') }: Props) {
  return (
    <CheckboxGroup label={label} name="scopes" defaultValue={[...chosen]} wide>
      <div className="columns">
        {scopesOf(all).map((scope) => (
          <Checkbox key={scope} value={scope}>
            <code>{scope}</code>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
