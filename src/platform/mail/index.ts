export { ExpiryNotices } from './expiry-notices.js';
export { MailFolder } from './mail-folder.js';
export { MailJobs } from './mail-jobs.js';
export { MailLink, type SentLink } from './mail-links.js';
export type { MailRecord } from './mail-records.js';
export { type MailLook, quotedName, SERVICE } from './mail-template.js';
export { MailModule } from './mail.module.js';
export { Outbox, type SenderBudget } from './outbox.js';
