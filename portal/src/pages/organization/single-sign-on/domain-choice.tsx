import { text } from '../../../messages/index.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Domain } from './connection-queries.ts';

interface Props {
  readonly domains: readonly Domain[];
  readonly chosen: readonly string[];
}

/** Selects the domains for whose addresses a connection vouches. */
export function DomainChoice({ domains, chosen }: Props) {
  if (domains.length === 0)
    return (
      <Notice>
        <p>{text('connections.no-domain')}</p>
      </Notice>
    );
  return (
    <CheckboxGroup
      label={text('connections.domains')}
      hint={text('connections.domains.choice.hint')}
      name="domainIds"
      defaultValue={[...chosen]}
    >
      {domains.map(({ id, name, status }) => (
        <Checkbox key={id} value={id}>
          {name}
          {status !== 'verified' && (
            <span className="small soft line">{text(`connections.domains.${status}`)}</span>
          )}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
