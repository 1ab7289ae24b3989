import { IntlMessageFormat } from 'intl-messageformat';
import { escapeHtml, type Locale, LOCALES } from '../platform/messages/index.js';
import type { FirstPageParts } from './first-page-texts.js';
import { PAGE_PATHS } from './page-paths.js';
import { EYE, GLOBE, LINE_ICON, LOGO, logoOf, type Shape, SUN } from './shapes.js';

/** What the portal is told of the deployment. */
export interface PortalConfiguration {
  readonly providers: readonly { readonly kind: string; readonly name: string | null }[];
  readonly sessionCookie: string;
  readonly mailbox: boolean;
  readonly emailSignIn: boolean;
  readonly passwordBlocklist: string;
}

/**
 * Writes the sign-in page as the portal shows it first, so that it is painted before the script is
 * loaded, which then takes its elements over. Fields can be filled in at once; buttons are disabled
 * until then. test/portal/first-page.spec.ts compares it with the page of the script.
 */
export function writeFirstPage(
  locale: Locale,
  { texts }: FirstPageParts,
  { providers, mailbox, emailSignIn }: PortalConfiguration,
): string {
  const text = (id: keyof typeof texts, values: Readonly<Record<string, string>> = {}): string =>
    format(texts[id], locale, values);
  const nameOf = (kind: string, name: string | null): string => {
    if (name !== null) return name;
    if (kind === 'oidc' || kind === 'saml') return text(`provider.${kind}`);
    return kind.replaceAll(/[_-]/g, ' ');
  };
  const provider = ({ kind, name }: PortalConfiguration['providers'][number]) => {
    const look = kind === 'google_oauth' ? 'google' : 'provider';
    const label = text('provider.continue', { provider: escapeHtml(nameOf(kind, name)) });
    return button(`button ${look} wide`, `<span>${svg(LOGO, [logoOf(kind)])}${label}</span>`);
  };
  const field = (id: string, label: string, control: string) =>
    `<div class="field"><label class="label" for="${id}">${label} </label>${control}</div>`;
  return [
    `<div class="threshold"><header><a class="brand" href="${PAGE_PATHS.home}" aria-label="${text('frame.home')}">`,
    '<img src="/favicon.svg" width="28" height="28" alt=""><span>Gatehouse</span></a></header>',
    `<main id="content"><div class="sheet"><div class="lead"><h1 tabindex="-1">${text('sign-in')}</h1></div>`,
    '<form class="form">',
    field(
      'first-email',
      text('email'),
      '<input class="control" id="first-email" type="email" autocomplete="username webauthn" autofocus>',
    ),
    '<div class="stack tight">',
    field(
      'first-password',
      text('password'),
      '<div class="with-button"><input class="control" id="first-password" type="password" autocomplete="current-password">' +
        `${button('button', icon(EYE), text('password.show'))}</div>`,
    ),
    `<p>${link(PAGE_PATHS.forgottenPassword, text('forgot-password'))}</p></div>`,
    `${button('button primary', `<span>${text('sign-in')}</span>`)}</form>`,
    emailSignIn ? `<p>${link(`${PAGE_PATHS.emailCode}?next=%2F`, text('email-code'))}</p>` : '',
    `<div class="stack tight of-passkeys">${button('button wide', `<span>${text('passkey.sign-in')}</span>`)}</div>`,
    providers.length > 0
      ? `<div class="or">${text('sign-in.or')}</div><div class="stack tight">${providers.map(provider).join('')}</div>`
      : '',
    `<p class="soft">${text('sign-in.new-here')}</p></div></main><footer class="foot">`,
    mailbox ? link(PAGE_PATHS.mailbox, text('frame.mailbox')) : '',
    `<a href="/api/docs">${text('frame.docs')}</a><div class="switches">`,
    button('button quiet icon', icon(GLOBE), text('frame.language-of', { name: LOCALES[locale] })),
    button('button quiet icon', icon(SUN), text('frame.theme-of', { name: text('frame.theme.system') })),
    '</div></footer></div><div class="toasts" role="status"></div>',
  ].join('');
}

const link = (path: string, content: string): string => `<a href="${path}">${content}</a>`;

/** Returns a button that cannot be pressed yet. It looks as any other. */
const button = (classes: string, content: string, label?: string): string =>
  `<button type="button" class="${classes}" disabled${label === undefined ? '' : ` aria-label="${label}"`}>${content}</button>`;

const icon = (shapes: readonly Shape[]): string => svg({ width: '18', height: '18', ...LINE_ICON }, shapes);

const svg = (attributes: Readonly<Record<string, string>>, shapes: readonly Shape[]): string =>
  draw({ tag: 'svg', attributes, children: shapes });

function draw({ tag, attributes, children = [] }: Shape): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join('')}>${children.map(draw).join('')}</${tag}>`;
}

/** Formats a text of the portal. The texts are of this repository, so that they are HTML. */
function format(text: string, locale: Locale, values: Readonly<Record<string, string>>): string {
  const registration = (inside: unknown[]) => link(PAGE_PATHS.register, inside.join(''));
  return String(new IntlMessageFormat(text, locale).format({ ...values, link: registration }));
}
