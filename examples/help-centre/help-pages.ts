import { settings } from './help-settings.ts';
import { html } from './html.ts';
import { page, type Reply } from './page.ts';
const app = settings.APP_NAME;
const signIn = html`<a class="button" href="/sign-in">Sign in with ${app}</a>`;
const articles = html`<ul class="cards">
  <li>
    <h2>Where is my parcel?</h2>
    <p>Track it from our warehouse to your address.</p>
  </li>
  <li>
    <h2>Sending something back</h2>
    <p>Thirty days, no questions, one label.</p>
  </li>
  <li>
    <h2>Invoices</h2>
    <p>Where they are, and how to change the address.</p>
  </li>
</ul>`;

/** @param cookie Set-Cookie values that remove the cookie of an ended session */
export const stranger = (...cookie: string[]): Reply =>
  page(
    html`<h1>How can we help?</h1>
      <p>You are not signed in. Sign in, and we can look at your orders together.</p>
      ${articles}`,
    { corner: signIn, headers: { 'set-cookie': cookie } },
  );

export const welcome = (name: string): Reply =>
  page(
    html`<h1>Hello ${name}, how can we help?</h1>
      <p>You are signed in with your ${app} account.</p>
      ${articles}`,
    { corner: html`<form method="post" action="/sign-out"><button>Sign out everywhere</button></form>` },
  );

export const notFromHere = (): Reply =>
  page(
    html`<h1>This sign-in was not started here</h1>
      <p>The link is for another browser, or has been used. You are not signed in.</p>
      <p>${signIn}</p>`,
    { status: 400 },
  );

export const declined = (cookie: string): Reply =>
  page(
    html`<h1>You have not signed in</h1>
      <p>You can read everything here without it, and sign in later.</p>
      <p>${signIn}</p>`,
    { headers: { 'set-cookie': cookie } },
  );

export const codeRefused = (): Reply =>
  page(
    html`<h1>The sign-in has expired</h1>
      <p>Complete a sign-in within one minute. Please try again.</p>
      <p>${signIn}</p>`,
    { status: 400 },
  );
