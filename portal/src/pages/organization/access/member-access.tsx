import { useState } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { type Member, subjectOf, useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { ChangeEnd, EndRole, GiveAccess, type Held } from './access-dialogs.tsx';
import { useAssignments } from './access-queries.ts';

type Doing = { readonly what: 'give' | 'change-end' } | { readonly what: 'end'; readonly held: Held };

/** What a member holds: roles in the whole organization and on single things, with their ends. */
export function MemberAccess({ tenantId, allowed, member }: OrganizationProps & { readonly member: Member }) {
  const { roles, roleEnds, userId } = member;
  const { data: known = [] } = useRoles(tenantId);
  const assignments = useAssignments(tenantId, userId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const mayChange = allowed['iam:member:update'];
  const rowOf = (role: string, held: Omit<RowProps, 'name' | 'onEnd' | 'userId'>, id: string | null) => {
    const [name = ''] = roleNames(known, [role]);
    const end = () => setDoing({ what: 'end', held: { role, name, assignmentId: id } });
    return <Row {...held} name={name} userId={userId} {...(mayChange && { onEnd: end })} />;
  };
  return (
    <section className="sheet section stack" aria-labelledby="member-access">
      <h2 id="member-access">{text('member.access')}</h2>
      <h3>{text('member.access.everywhere')}</h3>
      <ul className="list" aria-label={text('member.access.everywhere')}>
        {roles.map((role) => (
          <li key={role}>
            {rowOf(role, { until: roleEnds.find(({ key }) => key === role)?.until ?? null }, null)}
          </li>
        ))}
      </ul>
      <h3>{text('member.access.on-things')}</h3>
      <List
        query={assignments}
        label={text('member.access.on-things')}
        keyOf={({ id }) => id}
        empty={<p className="soft">{text('member.access.on-things.none')}</p>}
      >
        {({ id, role, on, name: thing, until, source }) =>
          rowOf(role, { on, thing, until, isRuled: source === 'directory' }, id)
        }
      </List>
      {mayChange && (
        <div className="row">
          <Button onPress={() => setDoing({ what: 'give' })}>{text('member.access.give')}</Button>
          <Button onPress={() => setDoing({ what: 'change-end' })}>{text('member.access.change-end')}</Button>
        </div>
      )}
      {doing?.what === 'give' && (
        <GiveAccess
          tenantId={tenantId}
          member={member}
          maySearch={allowed['access:thing:read']}
          onClose={close}
        />
      )}
      {doing?.what === 'change-end' && <ChangeEnd tenantId={tenantId} member={member} onClose={close} />}
      {doing?.what === 'end' && (
        <EndRole tenantId={tenantId} member={member} held={doing.held} onClose={close} />
      )}
    </section>
  );
}

interface RowProps {
  /** Name of the role. */
  readonly name: string;
  readonly userId: string;
  readonly until: string | null;
  /** URI of the thing, and its name if it is registered with one. */
  readonly on?: string;
  readonly thing?: string | null;
  /** Whether a rule of a directory gives it, and ends it. */
  readonly isRuled?: boolean;
  readonly onEnd?: () => void;
}

function Row({ name, userId, until, on, thing = null, isRuled = false, onEnd }: RowProps) {
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          {until !== null && (
            <Badge kind="care">{rich('ends-soon.until', { time: () => <Time value={until} /> })}</Badge>
          )}
          {isRuled && <Badge>{text('members.source.directory')}</Badge>}
        </div>
        {thing !== null && <span className="small">{thing}</span>}
        {on !== undefined && <code className="small">{on}</code>}
      </div>
      {onEnd && !isRuled && (
        <ActionMenu
          label={text('members.actions', { name })}
          subject={subjectOf('members', userId)}
          actions={[
            { label: text('member.access.end'), scope: 'iam:member:update', danger: true, run: onEnd },
          ]}
        />
      )}
    </div>
  );
}
