export { OpenIdModule } from './openid.module.js';
