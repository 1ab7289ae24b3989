import { html } from './html.ts';
import { page, type Reply } from './page.ts';
import { settings } from './shop-settings.ts';

const helpCentre = settings.HELP_CENTRE_URL;

export const welcome = (name: string): Reply =>
  page(
    html`<h1>Good to see you, ${name}</h1>
      <p>A question about an order? The help centre knows you already.</p>
      <p><a class="button" href="${helpCentre}/sign-in">Go to the help centre</a></p>
      <ul class="cards">
        <li>
          <h2>Order 1042</h2>
          <p>Four brass lanterns. In transit.</p>
        </li>
        <li>
          <h2>Order 1038</h2>
          <p>Thirty metres of rope. Delivered.</p>
        </li>
      </ul>`,
    { corner: html`<form method="post" action="/log-out"><button>Log out</button></form>` },
  );

interface Form {
  /** Query of an authorization request to continue with, or empty. */
  readonly query: string;
  readonly problem?: string;
  readonly cookie?: string;
}

export const signInForm = ({ query, problem = '', cookie }: Form): Reply =>
  page(
    html`<h1>Sign in</h1>
      <p>${query === '' ? 'To see your orders.' : 'Then you go straight on to the help centre.'}</p>
      <form class="sheet" method="post" action="/sign-in${query}">
        <p role="alert">${problem}</p>
        <label>Email <input name="email" type="email" autocomplete="username" required autofocus /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required
        /></label>
        <button class="button">Sign in</button>
      </form>`,
    { status: problem === '' ? 200 : 401, headers: { 'set-cookie': cookie ?? [] } },
  );

export const unknownSatellite = (): Reply =>
  page(
    html`<h1>Unknown application</h1>
      <p>The link is for an application that is not registered. You were not signed in there.</p>
      <p><a class="button" href="/">Back to the shop</a></p>`,
    { status: 400 },
  );
