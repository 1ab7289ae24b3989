import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { text } from '../messages/index.ts';
import { acting } from '../session/acting.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { distinctionOf, useMyTenants } from '../session/my-tenants.ts';
import { queryClient, useMe } from '../session/queries.ts';
import { Avatar, Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { AppFrame } from '../ui/app-frame.tsx';
import { Empty, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { nameOfRole } from '../ui/role-name.ts';
import { useToast } from '../ui/toast.tsx';
import { OnlyThePerson } from './account/only-the-person.tsx';

/** Lists the user's organizations. */
export function Organizations() {
  const tenants = useMyTenants();
  return (
    <AppFrame>
      <Page
        title={text('organizations')}
        lead={text('organizations.lead')}
        action={
          acting === null && (
            <Link href={PAGE_PATHS.newOrganization} className="button primary">
              {text('new-organization')}
            </Link>
          )
        }
      >
        <List
          query={tenants}
          label={text('frame.my-organizations')}
          keyOf={({ id }) => id}
          empty={
            <Empty title={text('organizations.empty.title')} lead={text('organizations.empty.text')}>
              <Link href={PAGE_PATHS.newOrganization} className="button">
                {text('organizations.create')}
              </Link>
            </Empty>
          }
        >
          {({ id, name, status, roles, via }, all) => (
            <Link href={pathIn(PAGE_PATHS.organization, id)} className="item item-link">
              <Avatar name={name} />
              <span className="what">
                <strong>{name}</strong>
                <span className="soft small">
                  {text('organizations.roles', {
                    count: roles.length,
                    roles: roles.map((key) => nameOfRole({ key })).join(', '),
                  })}
                  <Distinction id={distinctionOf({ id, name, status, roles }, all)} />
                </span>
              </span>
              <span className="end">
                {via !== undefined && <Badge kind="">{text('organizations.as-partner')}</Badge>}
                {status === 'archived' && <Badge kind="care">{text('organizations.archived')}</Badge>}
              </span>
            </Link>
          )}
        </List>
      </Page>
    </AppFrame>
  );
}

/** Tells organizations with the same name apart. */
const Distinction = ({ id }: { readonly id: string | null }) =>
  id !== null && ` · ${text('organizations.id', { id })}`;

/** Creates an organization, whose owner is the user. Not for an operator who acts as the person. */
export const NewOrganization = () =>
  acting === null ? (
    <CreateOrganization />
  ) : (
    <AppFrame>
      <Page title={text('new-organization')}>
        <OnlyThePerson />
      </Page>
    </AppFrame>
  );

function CreateOrganization() {
  const [, navigate] = useLocation();
  const say = useToast();
  const { data: me, isPending } = useMe();
  const create = useMutation({
    mutationFn: async (name: string) =>
      (await gatehouse.post('/api/v1/iam/tenants', { body: { name } })).data,
    onSuccess: async ({ id, name }) => {
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      say(text('organizations.ready', { name }));
      navigate(pathIn(PAGE_PATHS.organization, id));
    },
  });
  return (
    <AppFrame>
      <Page title={text('new-organization')} lead={text('organizations.new.lead')} focusTitle={false}>
        {!isPending && (
          <section className="sheet section">
            <Form error={create.error} onSubmit={(values) => create.mutate(String(values.get('name')))}>
              <TextField
                label={text('name')}
                name="name"
                autoComplete="organization"
                defaultValue={me?.company ?? ''}
                maxLength={200}
                isRequired
                autoFocus
              />
              <Button type="submit" isPending={create.isPending}>
                {text('organizations.create')}
              </Button>
            </Form>
          </section>
        )}
      </Page>
    </AppFrame>
  );
}
