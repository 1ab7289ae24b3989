import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Check, Cross } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { OrganizationProps } from './allowed.ts';
import { nameOf } from './member-name.ts';
import {
  subjectOf,
  useInvitations,
  useMembers,
  usePermissions,
  useRoles,
  type Member,
  type Permission,
} from './organization-queries.ts';
import { ScopeChoice } from './scope-choice.tsx';

interface Question {
  /** About whom is asked; the user if it is left out. */
  readonly userId?: string;
  readonly subject?: string;
  readonly scopes: readonly string[];
}

type Answers = Readonly<Record<string, components['schemas']['VerdictResponse']>>;

/** Lets users try the permission check, for themselves and for members. */
export function Playground({ tenantId, allowed }: OrganizationProps) {
  const permissions = usePermissions(tenantId);
  const [subject, setSubject] = useState('');
  const [member, setMember] = useState<Member | null>(null);
  const probe = useMutation({
    mutationFn: async ({ question }: { readonly question: Question; readonly of: Member | null }) =>
      (
        await gatehouse.post('/api/auth/can', {
          body: { ...question, scopes: [...question.scopes], explain: true },
        })
      ).data as Answers,
  });
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (probe.data) results.current?.scrollIntoView({ block: 'nearest' }); // the button is above them
  }, [probe.data]);
  const ask = (values: FormData) => {
    const further = textOf(values, 'further')?.split(/[\s,]+/) ?? [];
    const scopes = [...values.getAll('scopes').map(String), ...further].filter(Boolean);
    const question = {
      ...(member && { userId: member.userId }),
      ...(subject !== '' && { subject }),
      scopes,
    };
    probe.mutate({ question, of: member });
  };
  return (
    <Page title={text('nav.tester')} lead={text('tester.lead')}>
      <div className="side-by-side">
        <section className="sheet section" aria-label={text('tester.question')}>
          <Form error={probe.error} onSubmit={ask}>
            {allowed['access:decision:read'] && (
              <MemberChoice tenantId={tenantId} chosen={member} onChoose={setMember} />
            )}
            <SubjectChoice tenantId={tenantId} chosen={subject} onChoose={setSubject} />
            {permissions && (
              <ScopeChoice permissions={permissions} chosen={['iam:member:update', 'iam:member:remove']} />
            )}
            <TextField
              label={text('tester.further')}
              name="further"
              verbatim
              hint={text('tester.further.hint')}
            />
            <div className="in-view">
              <Button type="submit" isPending={probe.isPending}>
                {text('tester.check')}
              </Button>
            </div>
          </Form>
        </section>
        <div aria-live="polite" ref={results}>
          {probe.data && (
            <Verdicts {...probe.variables} verdicts={probe.data} permissions={permissions ?? []} />
          )}
        </div>
      </div>
    </Page>
  );
}

interface MemberChoiceProps {
  readonly tenantId: string;
  /** Null for the user. */
  readonly chosen: Member | null;
  readonly onChoose: (member: Member | null) => void;
}

/** Selects about whom is asked: the user, or a member who is searched. */
function MemberChoice({ tenantId, chosen, onChoose }: MemberChoiceProps) {
  const [query, setQuery] = useState('');
  const { data: found = [] } = useMembers(tenantId, { sort: 'name', ...(query !== '' && { query }) });
  const members =
    chosen && !found.some(({ userId }) => userId === chosen.userId) ? [chosen, ...found] : found;
  return (
    <>
      <SearchField label={text('tester.who.search')} onSearch={setQuery} />
      <SelectField
        label={text('tester.who')}
        hint={text('tester.who.hint')}
        options={[
          ['', text('tester.who.me')],
          ...members.map((member) => [member.userId, labelOf(member)] as const),
        ]}
        value={chosen?.userId ?? ''}
        onChange={(userId) => onChoose(members.find((one) => one.userId === userId) ?? null)}
      />
    </>
  );
}

const labelOf = (member: Member): string =>
  member.email === null || member.email === nameOf(member)
    ? nameOf(member)
    : `${nameOf(member)} (${member.email})`;

interface ChoiceProps {
  readonly tenantId: string;
  readonly chosen: string;
  readonly onChoose: (subject: string) => void;
}

function SubjectChoice({ tenantId, chosen, onChoose }: ChoiceProps) {
  const { data: members = [] } = useMembers(tenantId);
  const { data: invitations = [] } = useInvitations(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const things: [string, string][] = [
    ['', text('tester.none')],
    [subjectOf('tenants', tenantId), text('tester.this-organization')],
    ...members.map((member): [string, string] => [
      subjectOf('members', member.userId),
      text('tester.member', { name: nameOf(member) }),
    ]),
    ...invitations.map(({ id, email }): [string, string] => [
      subjectOf('invitations', id),
      text('tester.invitation', { email }),
    ]),
    ...roles.map((role): [string, string] => [
      subjectOf('roles', role.id),
      text('tester.role', { name: nameOfRole(role) }),
    ]),
  ];
  return <SelectField label={text('tester.resource')} options={things} value={chosen} onChange={onChoose} />;
}

interface VerdictsProps {
  readonly question: Question;
  readonly of: Member | null;
  readonly permissions: readonly Permission[];
  readonly verdicts: Answers;
}

function Verdicts({ question, of, verdicts, permissions }: VerdictsProps) {
  const rows = Object.entries(verdicts);
  if (rows.length === 0) return <p className="soft">{text('tester.choose')}</p>;
  return (
    <section className="sheet section" aria-labelledby="verdicts">
      <h2 id="verdicts">{of ? text('tester.results-of', { name: nameOf(of) }) : text('tester.results')}</h2>
      <ul className="list">
        {rows.map(([scope, verdict]) => (
          <li key={scope} className="item plain">
            <div className="what">
              <p>
                {permissions.find((permission) => permission.scope === scope)?.title}{' '}
                <code className="soft">{scope}</code>
              </p>
              {!verdict.allowed && (
                <p className="small">
                  {verdict.reason} <code className="soft">{verdict.code}</code>
                </p>
              )}
              {verdict.by && <p className="small soft">{heldBy(verdict.by)}</p>}
            </div>
            {verdict.allowed ? <Yes /> : <No />}
          </li>
        ))}
      </ul>
      <details>
        <summary>{text('tester.request')}</summary>
        <pre className="code" tabIndex={0}>
          {`POST /api/auth/can\n${JSON.stringify(question, null, 2)}\n\n200\n${JSON.stringify(verdicts, null, 2)}`}
        </pre>
      </details>
    </section>
  );
}

const heldBy = ({ role, on }: { readonly role: string; readonly on: string | null }): string =>
  on === null
    ? text('tester.by', { role: nameOfRole({ key: role }) })
    : text('tester.by-on', { role: nameOfRole({ key: role }), thing: on });

const Yes = () => (
  <Badge kind="good">
    <Check size={14} /> {text('tester.yes')}
  </Badge>
);
const No = () => (
  <Badge kind="bad">
    <Cross size={14} /> {text('tester.no')}
  </Badge>
);
