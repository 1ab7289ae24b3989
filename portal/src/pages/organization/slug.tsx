import { useMutation } from '@tanstack/react-query';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { signInOf } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';

interface Props {
  readonly tenantId: string;
  readonly slug: string | undefined;
  readonly denial: string | null;
}

/** Sets the name of the organization in the address of its sign-in page. */
export function Slug({ tenantId, slug, denial }: Props) {
  const say = useToast();
  const change = useMutation({
    mutationFn: (values: FormData) =>
      gatehouse.patch('/api/v1/iam/tenants/{id}', {
        params: { path: { id: tenantId } },
        body: { slug: textOf(values, 'slug')?.toLowerCase() ?? null },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['organization', tenantId] });
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      say(text('settings.slug.changed'));
    },
  });
  return (
    <section className="sheet section" aria-labelledby="slug">
      <h2 id="slug">{text('settings.slug.page')}</h2>
      <Copyable label={text('settings.slug.address')} value={addressOf(slug ?? tenantId)} />
      <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
        <TextField
          key={slug}
          label={text('settings.slug')}
          name="slug"
          defaultValue={slug ?? ''}
          maxLength={50}
          verbatim
          isDisabled={denial !== null}
          hint={denial ?? text('settings.slug.hint')}
        />
        <Button type="submit" isPending={change.isPending} isDisabled={denial !== null}>
          {text('settings.slug.save')}
        </Button>
      </Form>
    </section>
  );
}

const addressOf = (organization: string): string => new URL(signInOf(organization), location.origin).href;
