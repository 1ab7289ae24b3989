import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ProblemError, type components } from '@gatehouse/client';
import {
  contrastWithWhite,
  MIN_CONTRAST,
  onDark,
} from '../../../../src/iam/organizations/branding/accent.ts';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { colorsOf } from '../../ui/look.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { keys } from './organization-queries.ts';
import { inBackground } from '../../session/in-background.ts';

type Branding = components['schemas']['BrandingResponse'];

const PATH = '/api/v1/iam/tenants/{id}/branding';
/** Accent of the service (tokens.css), which an organization without one has. */
const ACCENT = '#0b6b6b';
const ACCENT_DARK = '#5fcbc4';

interface Props {
  readonly tenantId: string;
  /** Name of the organization, which is shown without another one. */
  readonly name: string;
  readonly denial: string | null;
}

/** Sets how the organization looks where people sign in, on invitations and in mails. */
export function Look({ tenantId, name, denial }: Props) {
  const params = { path: { id: tenantId } };
  const branding = useQuery({
    queryKey: [...keys.tenant(tenantId), 'branding'],
    queryFn: async () => (await gatehouse.get(PATH, { params })).data,
  });
  const { data, error, isPending } = branding;
  return (
    <section className="sheet section" aria-labelledby="look">
      <h2 id="look">{text('look')}</h2>
      <p>{text('look.lead')}</p>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(branding.refetch())} />}
      {isPending && <Skeleton label={text('look')} rows={1} />}
      {data && <LookForm key={data.logoUrl} tenantId={tenantId} name={name} denial={denial} saved={data} />}
    </section>
  );
}

function LookForm({ tenantId, name, denial, saved }: Props & { readonly saved: Branding }) {
  const say = useToast();
  const [displayName, setDisplayName] = useState(saved.displayName ?? '');
  const [accent, setAccent] = useState(saved.accentColor ?? ACCENT);
  const [logo, setLogo] = useState<File | null | undefined>(undefined);
  const change = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        displayName: textOf(values, 'displayName') ?? null,
        accentColor: accent === ACCENT ? null : accent,
        supportUrl: textOf(values, 'supportUrl') ?? null,
        mailSenderName: textOf(values, 'mailSenderName') ?? null,
        ...(logo !== undefined && { logo: logo && (await base64Of(logo)) }),
      };
      return (await gatehouse.put(PATH, { params: { path: { id: tenantId } }, body })).data;
    },
    onSuccess: (data) => {
      setLogo(undefined);
      queryClient.setQueryData([...keys.tenant(tenantId), 'branding'], data);
      say(text('look.saved'));
    },
  });
  const isDisabled = denial !== null;
  const wrongLogo = violationOf(change.error, 'logo');
  const hasLogo = logo === undefined ? saved.logoUrl !== null : logo !== null;
  return (
    <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
      {denial !== null && <p className="hint">{denial}</p>}
      <TextField
        label={text('look.name')}
        name="displayName"
        value={displayName}
        onChange={setDisplayName}
        maxLength={60}
        hint={text('look.name.hint', { name })}
        isDisabled={isDisabled}
      />
      <FileField
        label={text('look.logo')}
        name="logo"
        accept="image/png,image/webp"
        hint={text('look.logo.hint')}
        isDisabled={isDisabled}
        error={wrongLogo}
        onChange={setLogo}
      >
        {hasLogo && !isDisabled && (
          <div>
            <Button small onPress={() => setLogo(null)}>
              {text('look.logo.remove')}
            </Button>
          </div>
        )}
      </FileField>
      <TextField
        label={text('look.accent')}
        name="accentColor"
        type="color"
        value={accent}
        onChange={setAccent}
        hint={text('look.accent.hint')}
        validate={problemOf}
        isDisabled={isDisabled}
        isRequired
      />
      <TextField
        label={text('look.support')}
        name="supportUrl"
        defaultValue={saved.supportUrl ?? ''}
        maxLength={500}
        hint={text('look.support.hint')}
        isDisabled={isDisabled}
        verbatim
      />
      <TextField
        label={text('look.sender')}
        name="mailSenderName"
        defaultValue={saved.mailSenderName ?? ''}
        maxLength={40}
        hint={text('look.sender.hint')}
        isDisabled={isDisabled}
      />
      <Preview
        name={displayName.trim() === '' ? name : displayName}
        accent={accent}
        logo={logo}
        savedLogo={saved.logoUrl}
      />
      <Button type="submit" isPending={change.isPending} isDisabled={isDisabled}>
        {text('save')}
      </Button>
    </Form>
  );
}

interface PreviewProps {
  readonly name: string;
  readonly accent: string;
  /** Undefined for the saved one, null for none. */
  readonly logo: File | null | undefined;
  readonly savedLogo: string | null;
}

/** The head of a page in the look that is being set, in both themes. */
function Preview({ name, accent, logo, savedLogo }: PreviewProps) {
  const dark = accent === ACCENT ? ACCENT_DARK : onDark(accent);
  return (
    <div className="look-preview" role="group" aria-label={text('look.preview')}>
      {['light', 'dark'].map((theme) => (
        <div key={theme} className="in-look" style={colorsOf(accent, dark)}>
          <p className="look">
            {logo ? (
              <ChosenLogo file={logo} />
            ) : (
              logo === undefined && savedLogo !== null && <img src={savedLogo} alt="" />
            )}
            <strong>{name}</strong>
          </p>
          <span className="button primary" aria-hidden="true">
            <span>{text('sign-in')}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

function problemOf(accent: string): string | null {
  const contrast = contrastWithWhite(accent);
  if (contrast >= MIN_CONTRAST) return null;
  const shown = Math.floor(contrast * 10) / 10; // never rounded to what is needed
  return text('look.accent.contrast', { contrast: shown, min: MIN_CONTRAST });
}

/** Draws the chosen file: the policy of the page allows images of its own server alone. */
function ChosenLogo({ file }: { readonly file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isShown = true;
    createImageBitmap(file).then(
      (image) => {
        const target = canvas.current;
        if (!target || !isShown) return;
        Object.assign(target, { width: image.width, height: image.height });
        target.getContext('2d')?.drawImage(image, 0, 0);
      },
      () => undefined, // the service says what is wrong with it
    );
    return () => {
      isShown = false;
    };
  }, [file]);
  return <canvas ref={canvas} width={1} height={1} aria-hidden="true" />;
}

/** Base64 of a file, without the prefix of a data address. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}

const violationOf = (error: unknown, field: string): string | null =>
  (error instanceof ProblemError && error.violations.find((one) => one.propertyPath === field)?.message) ||
  null;
